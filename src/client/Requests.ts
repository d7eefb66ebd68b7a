import type { CallOptions, Operation } from "./Form.ts"
import { addressOf, checkKey, type Settings } from "./Options.ts"
import { randomKey } from "./Randomness.ts"

/** A request, identical in every attempt. */
export interface Prepared {
  /** The method and path template. */
  readonly route: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Whether the request is safe to repeat. */
  readonly isRepeatable: boolean
  /** Whether the request needs no API key. */
  readonly isOpen: boolean
  /** Whether the response is a redirect. */
  readonly isRedirect: boolean
}

type Values = Readonly<Record<string, unknown>>

/** Inserts the values into a path template such as `/v2/users/{user_id}`. */
const pathOf = (route: string, values: ReadonlyArray<string>): string => {
  const left = [...values]
  return route.slice(route.indexOf(" ") + 1).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value: unknown = left.shift()
    // An empty segment would address another operation, such as the list instead of one resource.
    if (typeof value !== "string" || value === "" || value === "." || value === "..")
      throw new TypeError(`${route}: \`${name}\` must be an ID or name, not ${JSON.stringify(value)}.`)
    return encodeURIComponent(value)
  })
}

const queryOf = (values: Values): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one))
  }
  return query.size === 0 ? "" : `?${query}`
}

/** Splits parameters into query parameters and the rest. */
const splitParams = (values: Values, names: ReadonlyArray<string>): readonly [Values, Values] => {
  const inQuery = Object.entries(values).filter(([name]) => names.includes(name))
  const rest = Object.entries(values).filter(([name]) => !names.includes(name))
  return [Object.fromEntries(inQuery), Object.fromEntries(rest)]
}

const bodyOf = ({ wrapper }: Operation, values: Values): Values => {
  if (wrapper === undefined) return values
  // The end user's request is a separate member, next to the parameters.
  const { request, ...members } = values
  return { [wrapper]: members, ...(request === undefined ? {} : { request }) }
}

/** The realm for a call's query, if any. */
const realmOf = ({ realm }: Operation, values: Values, options: CallOptions, settings: Settings): unknown => {
  if (realm === "none" || (realm === "body" && values["realm_id"] !== undefined)) return undefined
  return options.realmId ?? settings.realmId
}

/** Lowercases header names, so that later headers replace earlier ones. */
const lowerCased = (headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Prepares a request, except for its key. Throws a TypeError for an invalid path parameter. */
export const prepare = (
  settings: Settings,
  operation: Operation,
  path: ReadonlyArray<string>,
  parameters: object = {},
  options: CallOptions = {}
): Prepared => {
  const { route, realm, isCreate = false, isOpen = false, isRedirect = false } = operation
  const method = route.slice(0, route.indexOf(" "))
  const values: Values = { ...parameters }
  const hasBody = method === "POST" || method === "PUT"
  const inQuery = [...(operation.query ?? []), ...(realm === "body" ? [] : ["realm_id"])]
  const [query, rest] = hasBody ? splitParams(values, inQuery) : [values, {}]
  const idempotencyKey = options.idempotencyKey ?? (isCreate ? randomKey() : undefined)
  const realmId = realmOf(operation, values, options, settings)
  const base = options.url === undefined ? settings.url : addressOf(options.url)
  return {
    route,
    method,
    url: base + pathOf(route, path) + queryOf({ ...(realmId === undefined ? {} : { realm_id: realmId }), ...query }),
    headers: {
      accept: "application/json",
      // With this header, the service rejects unknown members instead of ignoring them. Open requests omit it, because
      // browsers would send a preflight.
      ...(isOpen ? {} : { prefer: "handling=strict" }),
      ...(hasBody ? { "content-type": "application/json" } : {}),
      ...(idempotencyKey === undefined || method !== "POST" ? {} : { "idempotency-key": idempotencyKey }),
      ...lowerCased(settings.headers),
      ...lowerCased(options.headers)
    },
    body: hasBody ? JSON.stringify(bodyOf(operation, rest)) : undefined,
    isRepeatable: method !== "POST" || idempotencyKey !== undefined,
    isOpen,
    isRedirect
  }
}

/** The authorization header, for calls that need an API key. */
export const authorization = async (
  { key }: Settings,
  { isOpen }: Prepared
): Promise<Readonly<Record<string, string>>> => {
  if (isOpen || key === undefined) return {}
  return { authorization: `Bearer ${typeof key === "string" ? key : checkKey(await key())}` }
}
