import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from "jose"
import { peerFetch } from "../PeerFetch.ts"
import { type Arrival, type Person, StoppedOnPage } from "../Person.ts"
import type { Side, SideClient } from "./Side.ts"

type Filled = Readonly<Record<string, string>>

/** The result of an authorization or logout request: a redirect to the client, or a page. */
export type Outcome =
  | {
      readonly to: "client"
      readonly by: "query" | "fragment" | "form"
      readonly got: Filled
      readonly arrived: Arrival
    }
  | { readonly to: "page"; readonly status: number; readonly stuck: StoppedOnPage }

/** A response of the token endpoint or another endpoint called without a browser. */
export interface EndpointResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

const FORM = "application/x-www-form-urlencoded"

const basic = ({ id, secret }: SideClient) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`

/** The URL of an endpoint in the provider's metadata. */
export const endpoint = ({ metadata }: Side, name: string): string => String(metadata[`${name}_endpoint`])

/** Posts a form to an endpoint and returns the response. */
export const post = async (side: Side, name: string, form: Filled, headers: Filled = {}): Promise<EndpointResponse> => {
  const body = new URLSearchParams(form).toString()
  const sent = { method: "POST", body, headers: { "content-type": FORM, ...headers } }
  const response = await peerFetch(side.transport)(endpoint(side, name), sent)
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text.startsWith("{") ? JSON.parse(text) : {} }
}

const outcomeOf = async (walk: Promise<Arrival>): Promise<Outcome> => {
  try {
    const arrived = await walk
    const { url, form } = arrived
    const got = form ?? (url.hash === "" ? url.searchParams : new URLSearchParams(url.hash.slice(1)))
    const by = form === undefined ? (url.hash === "" ? "query" : "fragment") : "form"
    return { to: "client", by, got: Object.fromEntries(got), arrived }
  } catch (error) {
    if (error instanceof StoppedOnPage) return { to: "page", status: error.page.status, stuck: error }
    throw error
  }
}

/** Opens an authorization request in a person's browser. Empty parameters are left out. */
export const authorize = (
  side: Side,
  person: Person,
  parameters: Filled = {},
  {
    client = side.clients.basic,
    method = "GET"
  }: { readonly client?: SideClient; readonly method?: "GET" | "POST" } = {}
): Promise<Outcome> => {
  const all = {
    client_id: client.id,
    response_type: "code",
    redirect_uri: client.redirectUri,
    scope: "openid",
    state: "a-state",
    nonce: "a-nonce",
    ...side.always,
    ...parameters
  }
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""))
  const url = new URL(endpoint(side, "authorization"))
  if (method === "POST") return outcomeOf(person.walk(url, { form: sent }))
  url.search = new URLSearchParams(sent).toString()
  return outcomeOf(person.walk(url))
}

/** Opens the end_session endpoint in a person's browser. */
export const endSession = (side: Side, person: Person, parameters: Filled): Promise<Outcome> => {
  const url = new URL(endpoint(side, "end_session"))
  url.search = new URLSearchParams(parameters).toString()
  return outcomeOf(person.walk(url))
}

/** Calls the token endpoint as a client. `inBody` sends the secret in the body instead of the header. */
export const token = (
  side: Side,
  form: Filled,
  { client = side.clients.basic, inBody = false }: { readonly client?: SideClient; readonly inBody?: boolean } = {}
): Promise<EndpointResponse> =>
  inBody
    ? post(side, "token", { ...form, client_id: client.id, client_secret: client.secret })
    : post(side, "token", form, { authorization: basic(client) })

/** Redeems the code of an authorization. */
export const redeem = (
  side: Side,
  { got }: Outcome & { readonly to: "client" },
  how: Parameters<typeof token>[2] = {},
  more: Filled = {}
) =>
  token(
    side,
    {
      grant_type: "authorization_code",
      code: got["code"] ?? "",
      redirect_uri: (how.client ?? side.clients.basic).redirectUri,
      ...more
    },
    how
  )

/** Asserts that the outcome was sent to the client. */
export const returnedToClient = (outcome: Outcome): Outcome & { readonly to: "client" } => {
  if (outcome.to === "client") return outcome
  throw outcome.stuck
}

/** Requests user info: by GET and header, POST and header, or POST and body. */
export const userinfo = async (
  side: Side,
  access: unknown,
  how: "get" | "header" | "body" = "get"
): Promise<EndpointResponse> => {
  const authorization = `Bearer ${access}`
  if (how === "body") return post(side, "userinfo", { access_token: String(access) })
  const response = await peerFetch(side.transport)(endpoint(side, "userinfo"), {
    method: how === "get" ? "GET" : "POST",
    headers: { authorization }
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text.startsWith("{") ? JSON.parse(text) : {} }
}

/** Verifies an ID token with the provider's keys and returns its claims. */
export const idTokenOf = async (side: Side, { body }: EndpointResponse): Promise<JWTPayload> => {
  const idToken = String(body["id_token"])
  const jwks = JSON.parse(await (await peerFetch(side.transport)(String(side.metadata["jwks_uri"]))).text())
  const { payload } = await jwtVerify(idToken, createLocalJWKSet(jwks), { issuer: side.issuer })
  return payload
}

/** The header of an ID token. */
export const headerOf = ({ body }: EndpointResponse) => decodeProtectedHeader(String(body["id_token"]))

export const claimsOf = (jwt: unknown): JWTPayload => decodeJwt(String(jwt))

/** A logged-in person: the first authorization and its tokens. */
export const loggedIn = async (side: Side, parameters: Filled = {}, how: Parameters<typeof authorize>[3] = {}) => {
  const person = side.person()
  const first = returnedToClient(await authorize(side, person, parameters, how))
  const tokens = await redeem(side, first, how.client === undefined ? {} : { client: how.client })
  return { person, first, tokens }
}
