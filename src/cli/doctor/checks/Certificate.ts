import { isIP } from "node:net"
import { connect } from "node:tls"
import { Clock, Effect } from "effect"
import { type Finding, ok, problem, skipped, warning } from "../Finding.ts"
import type { Check } from "../Subject.ts"

/** The number of days before expiry by which a certificate should have been renewed. */
const RENEWAL_DAYS = 21

const DAY = 86_400_000

/** A server's certificate. `refusal`: the reason if it is not trusted. `until`: its expiry in Unix milliseconds. */
export interface ServerCertificate {
  readonly until: number
  readonly issuer: string
  readonly refusal: string | undefined
}

/**
 * Reads a server's certificate, or returns a text that explains why it can't be read. `ca`: the trusted authority as
 * PEM, instead of Node's defaults.
 */
export const certificateOf = (url: string, ca?: string): Effect.Effect<ServerCertificate | string> =>
  Effect.callback((resume) => {
    const { hostname, port } = new URL(url)
    const host = hostname.replace(/^\[|\]$/g, "")
    const socket = connect({
      host,
      port: Number(port) || 443,
      servername: isIP(host) === 0 ? host : "",
      rejectUnauthorized: false,
      timeout: 5_000,
      ...(ca === undefined ? {} : { ca })
    })
    const end = (result: ServerCertificate | string) => {
      socket.destroy()
      resume(Effect.succeed(result))
    }
    socket.once("error", (error) => end(error.message))
    socket.once("timeout", () => end("it did not respond within 5 seconds"))
    socket.once("secureConnect", () => {
      const { valid_to, issuer } = socket.getPeerCertificate()
      end({
        until: Date.parse(valid_to),
        issuer: [issuer.O ?? issuer.CN ?? "an unnamed authority"].flat().join(" "),
        refusal: socket.authorized ? undefined : String(socket.authorizationError)
      })
    })
    return Effect.sync(() => socket.destroy())
  })

export const certificateFinding = (host: string, found: ServerCertificate | string, now: number): Finding => {
  if (typeof found === "string")
    return problem(`${host} doesn't offer TLS: ${found}.`, "Check the proxy in front of the service.")
  const days = Math.floor((found.until - now) / DAY)
  const until = new Date(found.until).toISOString().slice(0, 10)
  if (days < 0) return problem(`The certificate of ${host} expired on ${until}.`, "Renew it.")
  if (found.refusal !== undefined) {
    return problem(
      `The certificate of ${host} is not trusted: ${found.refusal}.`,
      "It must be valid for this host, be issued by an authority that browsers trust, and include the intermediate certificates."
    )
  }
  if (days < RENEWAL_DAYS) {
    return warning(
      `The certificate of ${host} (${found.issuer}) expires in ${days} days, on ${until}.`,
      "Check why it was not renewed automatically."
    )
  }
  return ok(`The certificate of ${host} (${found.issuer}) is valid until ${until}.`)
}

/** Checks the validity of the public URL's certificate. */
export const certificate: Check = {
  name: "certificate",
  place: "settings",
  run: ({ settings: { publicUrl }, service }) => {
    if (!publicUrl.startsWith("https:")) return Effect.succeed([])
    return Effect.gen(function* () {
      const answer = yield* service.publicAnswer
      if (answer._tag === "Unanswered" && /^(?:E[A-Z_]+|TIMEOUT)$/.test(answer.code) && !answer.code.startsWith("ERR"))
        return skipped("The public URL can't be reached.")
      const { host } = new URL(publicUrl)
      return certificateFinding(host, yield* certificateOf(publicUrl), yield* Clock.currentTimeMillis)
    })
  }
}
