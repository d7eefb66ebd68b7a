import { readFileSync } from "node:fs"
import { isIP } from "node:net"
import { Redacted } from "effect"
import { nearestName } from "#domain/NearestName"
import { isAddressRange } from "#platform/ClientAddress"
import { commandVariables, variables } from "./Variables.ts"

const LABEL = "[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?"

/** Matches a single label of a domain name. */
export const ONE_LABEL = new RegExp(`^${LABEL}$`)

/** Matches a domain name. */
export const LABELS = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`)

/** The maximum number of servers in a setting. */
const MAX_SERVERS = 8

/** Returns whether a text is an IP address with an optional port. With a port, an IPv6 address is in brackets. */
const isServerAddress = (text: string): boolean => {
  if (isIP(text) !== 0) return true
  const [, v6, v4, port] = /^(?:\[([\da-f:.]+)\]|([\d.]+)):(\d{1,5})$/i.exec(text) ?? []
  const isPort = Number(port) >= 1 && Number(port) <= 65_535
  return isPort && (v6 === undefined ? isIP(v4 ?? "") === 4 : isIP(v6) === 6)
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The minimum length of a secret, in characters. */
export const MIN_SECRET_LENGTH = 32

/** The maximum length of the login domain, in characters. A full DNS name has at most 253. */
const MAX_DOMAIN_LENGTH = 120

/** Whether a text is an HTTP or HTTPS URL without a password and without a query. */
export const isHttpUrl = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return (url?.protocol === "http:" || url?.protocol === "https:") && url.username === "" && url.search === ""
}

const PREFIX = "SALLYPORT_"

/** All setting names by their part after `SALLYPORT_`. */
const settingsByBareName: ReadonlyMap<string, string> = new Map(
  [...variables, ...commandVariables]
    .flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]))
    .map((name) => [name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name, name])
)

/** Whether a variable was set by Kubernetes for a Service named sallyport, for example `SALLYPORT_PORT=tcp://10.0.0.1:3000`. */
const isServiceLink = (bareName: string, value: string | undefined): boolean =>
  /(?:^|_)(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)$/.test(bareName) ||
  (bareName.endsWith("PORT") && /^(?:tcp|udp|sctp):\/\//.test(value ?? ""))

/** Returns the setting that an unknown variable probably meant, if any. */
const nearestSetting = (bareName: string, value: string | undefined): string | undefined => {
  if (isServiceLink(bareName, value)) return undefined
  const nearest = nearestName(bareName, settingsByBareName.keys())
  return nearest === undefined ? undefined : settingsByBareName.get(nearest)
}

/** The maximum number of list entries that a problem names, and the maximum length of each in characters. */
const MAX_ENTRIES = 5
const MAX_ENTRY_LENGTH = 64

/** A sentence that names the invalid entries of a list. */
export const invalidEntries = (entries: ReadonlyArray<string>): string => {
  const shown = entries.slice(0, MAX_ENTRIES).map((text) => JSON.stringify(text.trim().slice(0, MAX_ENTRY_LENGTH)))
  const more = entries.length - shown.length
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""} ${entries.length === 1 ? "is not" : "are not"}.`
}

/** Reads variables, and collects all problems instead of stopping at the first. */
export class Reader {
  readonly problems: Array<string> = []
  /**
   * Variables that have the prefix of settings but resemble none of them. They belong to another program or release,
   * and cause a warning.
   */
  readonly unknown: ReadonlyArray<string>
  readonly environment: Environment

  constructor(environment: Environment) {
    this.environment = environment
    const known = new Set(settingsByBareName.values())
    this.unknown = Object.keys(environment).filter((name) => {
      if (!name.startsWith(PREFIX) || known.has(name)) return false
      const meant = nearestSetting(name.slice(PREFIX.length), environment[name])
      if (meant !== undefined) this.problems.push(`${name} is not a setting in this release. Did you mean ${meant}?`)
      return meant === undefined
    })
  }

  text(name: string): string | undefined {
    const value = this.environment[name]?.trim()
    return value === "" ? undefined : value
  }

  secret(name: string): string | undefined {
    const file = this.text(`${name}_FILE`)
    const value = this.text(name)
    if (file === undefined) return value
    if (value !== undefined) this.problems.push(`${name} and ${name}_FILE are both set. Keep only one.`)
    try {
      return readFileSync(file, "utf8").trim() || undefined
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      this.problems.push(`The file named by ${name}_FILE, ${file}, can't be read (${reason}).`)
      return undefined
    }
  }

  integer(name: string, min: number, max: number, fallback: number, what = "a whole number"): number {
    const value = this.text(name)
    if (value === undefined) return fallback
    const number = Number(value)
    if (Number.isInteger(number) && number >= min && number <= max) return number
    const link = isServiceLink(name, value)
      ? " The value comes from a Service in Kubernetes: set enableServiceLinks: false for the pod."
      : ""
    this.problems.push(`${name} must be ${what} from ${min} to ${max}.${link}`)
    return fallback
  }

  switch(name: string, fallback: "on" | "off" = "off"): boolean {
    const value = this.text(name) ?? fallback
    if (value !== "on" && value !== "off") this.problems.push(`${name} must be on or off.`)
    return value === "on"
  }

  truth(name: string, fallback: boolean): boolean {
    const value = this.text(name)
    if (value === undefined) return fallback
    const yes = value === "true" || value === "on"
    if (!yes && value !== "false" && value !== "off") this.problems.push(`${name} must be true or false.`)
    return yes
  }

  url(name: string): string | undefined {
    const value = this.text(name)?.replace(/\/+$/, "")
    if (value !== undefined && !isHttpUrl(value)) this.problems.push(`${name} must be an http or https URL.`)
    return value
  }

  /** Reads a DNS name that is short enough to have labels in front of it. */
  domain(name: string, form: RegExp, what: string, fallback: string): string {
    const value = this.text(name)?.toLowerCase() ?? fallback
    if (!form.test(value) || value.length > MAX_DOMAIN_LENGTH) this.problems.push(`${name} must be ${what}.`)
    return value
  }

  /** Reads IP addresses and networks, separated by commas. */
  addresses(name: string): ReadonlyArray<string> {
    const values = this.text(name)?.split(",") ?? []
    const wrong = values.filter((value) => !isAddressRange(value))
    if (wrong.length > 0) {
      this.problems.push(
        `${name} must be IP addresses, or networks such as 10.0.0.0/8, separated by commas. ${invalidEntries(wrong)}`
      )
    }
    return values.map((value) => value.trim())
  }

  /** Reads the IP addresses of servers, each with an optional port, separated by commas. */
  servers(name: string): ReadonlyArray<string> {
    const values = this.text(name)?.split(",") ?? []
    const wrong = values.filter((value) => !isServerAddress(value.trim()))
    if (wrong.length > 0 || values.length > MAX_SERVERS) {
      const most = values.length > MAX_SERVERS ? `There can be at most ${MAX_SERVERS}.` : invalidEntries(wrong)
      this.problems.push(
        `${name} must be IP addresses, each with an optional port such as 10.0.0.53:5353, separated by commas. ${most}`
      )
    }
    return values.map((value) => value.trim())
  }

  /** Checks that a key can be sent in a header. */
  sendable(name: string, key: Redacted.Redacted | undefined): Redacted.Redacted | undefined {
    if (key !== undefined && !/^[\x21-\x7e]+$/.test(Redacted.value(key))) {
      this.problems.push(`${name} must contain only visible ASCII characters, without spaces.`)
    }
    return key
  }

  longEnough(name: string, value: string | undefined): Redacted.Redacted | undefined {
    if (value === undefined) return undefined
    if (value.length < MIN_SECRET_LENGTH)
      this.problems.push(`${name} must be at least ${MIN_SECRET_LENGTH} characters long.`)
    return Redacted.make(value)
  }
}
