import type { CallOptions, Operation } from "./Form.ts"
import { addressOf, checkKey, type Settings } from "./Options.ts"
import { randomKey } from "./Randomness.ts"

/** A request as it is sent, the same in every attempt. */
export interface Prepared {
  /** Method and path, without values. */
  readonly route: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Whether it can be repeated without doing again what it does. */
  readonly isRepeatable: boolean
  /** Whether it carries a key of the API. */
  readonly isOpen: boolean
  /** Whether a redirect is its answer. */
  readonly isRedirect: boolean
}

type Values = Readonly<Record<string, unknown>>

/** `GET /v2/users/{user_id}` with the value of `user_id` in its place. */
const pathOf = (route: string, values: ReadonlyArray<string>): string => {
  const left = [...values]
  return route.slice(route.indexOf(" ") + 1).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value: unknown = left.shift()
    // An empty segment would name another operation: a list instead of one resource.
    if (typeof value !== "string" || value === "" || value === "." || value === "..")
      throw new TypeError(`${route}: \`${name}\` must be the ID or name of something, not ${JSON.stringify(value)}.`)
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

/** Parts parameters into those of the query and the rest. */
const parted = (values: Values, names: ReadonlyArray<string>): readonly [Values, Values] => {
  const inQuery = Object.entries(values).filter(([name]) => names.includes(name))
  const rest = Object.entries(values).filter(([name]) => !names.includes(name))
  return [Object.fromEntries(inQuery), Object.fromEntries(rest)]
}

const bodyOf = ({ wrapper }: Operation, values: Values): Values => {
  if (wrapper === undefined) return values
  // Who acts is told beside what the parameters are about.
  const { request, ...members } = values
  return { [wrapper]: members, ...(request === undefined ? {} : { request }) }
}

/** The realm that a call names in its query, if any. */
const realmOf = ({ realm }: Operation, values: Values, options: CallOptions, settings: Settings): unknown => {
  if (realm === "none" || (realm === "body" && values["realm_id"] !== undefined)) return undefined
  return options.realmId ?? settings.realmId
}

/** Headers by their names in lower case, so that a later one replaces an earlier one. */
const lowerCased = (headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** The request of an operation, but for its key. Throws a TypeError for a path that names nothing. */
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
  const [query, rest] = hasBody ? parted(values, inQuery) : [values, {}]
  const idempotencyKey = options.idempotencyKey ?? (isCreate ? randomKey() : undefined)
  const realmId = realmOf(operation, values, options, settings)
  const base = options.url === undefined ? settings.url : addressOf(options.url)
  return {
    route,
    method,
    url: base + pathOf(route, path) + queryOf({ ...(realmId === undefined ? {} : { realm_id: realmId }), ...query }),
    headers: {
      accept: "application/json",
      // A member that the service does not know is refused, not ignored. Browsers would ask before each open request for it.
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

/** The header that carries the key of the client, for what needs one. */
export const authorization = async (
  { key }: Settings,
  { isOpen }: Prepared
): Promise<Readonly<Record<string, string>>> => {
  if (isOpen || key === undefined) return {}
  return { authorization: `Bearer ${typeof key === "string" ? key : checkKey(await key())}` }
}
