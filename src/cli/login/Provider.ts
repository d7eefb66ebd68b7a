import { Effect, Predicate } from "effect"
import { RELEASE } from "#server/Command"
import { CommandFailed, WrongUsage } from "../CommandFailed.ts"
import { Fetch } from "../Remote.ts"
import { whyUnreachable } from "../RemoteFailure.ts"
import { visible } from "../Visible.ts"

/** The members of a JSON response. */
export type Members = Readonly<Record<string, unknown>>

/** A response of an OpenID Provider. */
export interface ProviderResponse {
  readonly status: number
  readonly body: Members
}

/** The provider metadata that the commands use (RFC 8414, OpenID Connect Discovery 1.0). */
export interface Provider {
  readonly issuer: string
  readonly token_endpoint: string
  readonly device_authorization_endpoint: string
  readonly revocation_endpoint: string | undefined
  readonly userinfo_endpoint: string | undefined
}

/** The timeout of a request, in milliseconds. */
const TIMEOUT = 30_000

const isMembers = (value: unknown): value is Members => Predicate.isObject(value) && !Array.isArray(value)

/** Returns the string value of a JSON member, or undefined if it isn't a string. */
export const textIn = (members: Members, name: string): string | undefined => {
  const value = members[name]
  return typeof value === "string" && value !== "" ? value : undefined
}

const localHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

/** Whether tokens may be sent to a URL: over TLS, or to this machine. Hosts below `localhost` are also on this machine. */
const isSafe = (address: string): boolean => {
  const url = URL.parse(address)
  if (url === null) return false
  const isLocal = localHosts.has(url.hostname) || url.hostname.endsWith(".localhost")
  return url.protocol === "https:" || (url.protocol === "http:" && isLocal)
}

/** A request's optional form and access token. */
interface Sent {
  readonly form?: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly accessToken?: string
}

/** Sends a request to a provider. A response that isn't a JSON object is treated as an empty object. */
export const sendRequest = Effect.fnUntraced(function* (url: string, { form, accessToken }: Sent = {}) {
  const send = yield* Fetch
  const fields = Object.entries(form ?? {}).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one])
  )
  const failed = (cause: unknown) =>
    new CommandFailed({
      happened: `${url} can't be reached: ${whyUnreachable(cause)}.`,
      todo: "Check the issuer's URL and the network."
    })
  return yield* Effect.tryPromise({
    try: async (signal): Promise<ProviderResponse> => {
      const response = await send(url, {
        method: form === undefined ? "GET" : "POST",
        headers: {
          accept: "application/json",
          // Shown as the device on the provider's page (`browserNameOf`).
          "user-agent": `sallyport/${RELEASE}`,
          ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
          ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` })
        },
        ...(form === undefined ? {} : { body: new URLSearchParams(fields).toString() }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
        redirect: "manual"
      })
      const text = await response.text()
      const found: unknown = text.startsWith("{") ? JSON.parse(text) : {}
      return { status: response.status, body: isMembers(found) ? found : {} }
    },
    catch: failed
  })
})

/** The message of an error response (RFC 6749 §5.2). */
export const errorText = ({ status, body }: ProviderResponse): string =>
  visible(textIn(body, "error_description") ?? textIn(body, "error") ?? `The response had status ${status}.`)

/** Reads an issuer's metadata and verifies that it matches the issuer. */
export const findProvider = Effect.fnUntraced(function* (issuer: string) {
  if (!isSafe(issuer)) {
    return yield* new WrongUsage({
      happened: `${issuer} is not a valid issuer URL. Use https, or http on this machine.`
    })
  }
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`
  const { status, body } = yield* sendRequest(address)
  const failed = (happened: string) =>
    new CommandFailed({ happened, todo: "Use the issuer of the realm, such as https://id.example.com/realms/rl_…" })
  if (status !== 200) return yield* failed(`There is no OpenID Provider at ${issuer}: ${address} returned ${status}.`)
  if (body["issuer"] !== issuer) {
    return yield* failed(`${address} belongs to another issuer: ${visible(String(body["issuer"]))}.`)
  }
  const endpoint = (name: string) => {
    const url = textIn(body, name)
    return url !== undefined && isSafe(url) ? url : undefined
  }
  const [token, device] = [endpoint("token_endpoint"), endpoint("device_authorization_endpoint")]
  if (token === undefined || device === undefined) {
    return yield* failed(`${issuer} doesn't support device login.`)
  }
  const provider: Provider = {
    issuer,
    token_endpoint: token,
    device_authorization_endpoint: device,
    revocation_endpoint: endpoint("revocation_endpoint"),
    userinfo_endpoint: endpoint("userinfo_endpoint")
  }
  return provider
})
