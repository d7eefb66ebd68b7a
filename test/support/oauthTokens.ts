import { createHash, randomBytes } from "node:crypto"
import type { SqlClient } from "effect/sql/SqlClient"
import { decodeJwt } from "jose"
import { encodeId } from "#domain/Ids"
import { Api, type Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { basic, oauthClient } from "./oauth.ts"
import { query } from "./query.ts"

/** A client with the data it needs for its own requests. */
export interface TestClient {
  readonly id: string
  readonly secret: string | undefined
}

export const CALLBACK = "https://app.example.test/callback"

export const VERIFIER = "v".repeat(43)

export const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url")

const digestOf = (secret: string) => createHash("sha256").update(secret).digest("base64")

type Params = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

const formOf = (params: Params) =>
  new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one])
    )
  ).toString()

/** Posts a form to an endpoint of the realm without client authentication. */
export const sendForm = (
  realm: GivenRealm,
  endpoint: string,
  params: Params,
  headers: Readonly<Record<string, string>> = {}
): Promise<Reply> =>
  new Api(realm.transport, undefined).call("POST", `/realms/${realm.id}/${endpoint}`, {
    body: formOf(params),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers }
  })

/** Posts a form as a client, which authenticates with its secret if it has one. */
export const sendAs = (
  client: TestClient,
  realm: GivenRealm,
  endpoint: string,
  params: Params,
  headers: Readonly<Record<string, string>> = {}
): Promise<Reply> =>
  client.secret === undefined
    ? sendForm(realm, endpoint, { client_id: client.id, ...params }, headers)
    : sendForm(realm, endpoint, params, { authorization: basic(client.id, client.secret), ...headers })

/** The optional settings of an authorization code. */
interface CodeSettings {
  readonly sid?: string
  readonly scopes?: ReadonlyArray<string>
  readonly resources?: ReadonlyArray<string>
  readonly orgId?: string
  readonly claims?: object
  readonly nonce?: string
  readonly jkt?: string
  readonly challenge?: string | null
  readonly redirectUri?: string
  /** Unix milliseconds. */
  readonly at?: number
}

let made = 0

/** The session of codes in tests for which the session doesn't matter. */
const NO_SESSION = "kss_none"

/**
 * Stores an authorization code like one that the pages issue, and returns it. By default it belongs to a session that
 * stays active.
 */
export const storedCode = async (
  sql: SqlClient,
  realm: GivenRealm,
  client: TestClient,
  userId: string,
  settings: CodeSettings = {}
): Promise<string> => {
  const { scopes = ["openid", "offline_access"], resources = [], challenge, at = STARTS_AT } = settings
  const code = `oac_${randomBytes(40).toString("hex").slice(0, 43)}`
  const grantId = encodeId("grant", { millis: at, random: [1, ++made] })
  await query(sql`insert into sessions (realm_id, id, user_id, created_at, expires_at)
    values (${realm.id}, ${NO_SESSION}, ${userId}, ${new Date(at)}, ${new Date(at + 400 * 86_400_000)}) on conflict do nothing`)
  await query(sql`insert into oauth_codes (realm_id, id, client_id, user_id, grant_id, redirect_uri, code_challenge, nonce, sid,
      scopes, resources, org_id, claims, jkt, auth_methods, authenticated_at, created_at, expires_at)
    values (${realm.id}, ${digestOf(code)}, ${client.id}, ${userId}, ${grantId}, ${settings.redirectUri ?? CALLBACK},
      ${challenge === undefined ? challengeOf(VERIFIER) : challenge}, ${settings.nonce ?? null}, ${settings.sid ?? NO_SESSION},
      ${scopes}, ${resources}, ${settings.orgId ?? null},
      ${settings.claims === undefined ? null : JSON.stringify(settings.claims)}, ${settings.jkt ?? null}, ${["pwd", "otp"]},
      ${new Date(at - 60_000)}, ${new Date(at)}, ${new Date(at + 60_000)})`)
  return code
}

/** Redeems a code. */
export const redeem = (
  client: TestClient,
  realm: GivenRealm,
  code: string,
  params: Params = {},
  headers: Readonly<Record<string, string>> = {}
): Promise<Reply> =>
  sendAs(
    client,
    realm,
    "token",
    { grant_type: "authorization_code", code, redirect_uri: CALLBACK, code_verifier: VERIFIER, ...params },
    headers
  )

/** Exchanges a refresh token. */
export const refresh = (
  client: TestClient,
  realm: GivenRealm,
  token: string,
  params: Params = {},
  headers: Readonly<Record<string, string>> = {}
): Promise<Reply> =>
  sendAs(client, realm, "token", { grant_type: "refresh_token", refresh_token: token, ...params }, headers)

/** Calls the userinfo endpoint with a token. */
export const userinfo = (realm: GivenRealm, token: string, scheme = "Bearer", headers = {}): Promise<Reply> =>
  new Api(realm.transport, undefined).call("GET", `/realms/${realm.id}/userinfo`, {
    headers: { authorization: `${scheme} ${token}`, ...headers }
  })

/** The claims of a token. */
export const claimsIn = (reply: Reply, member: "access_token" | "id_token" = "access_token") =>
  decodeJwt(reply.string(member))

interface LoginSettings {
  /** Settings of the client. */
  readonly settings?: Readonly<Record<string, unknown>>
  readonly code?: CodeSettings
  /** The ID of the user. A new user is created if undefined. */
  readonly user?: string
  /** Headers of the token request. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A client, a user who has authorized it, and the response to the redemption of the code. */
export const loggedIn = async (
  sql: SqlClient,
  realm: GivenRealm,
  { settings = {}, code = {}, user: userId, headers = {} }: LoginSettings = {}
) => {
  const client = await oauthClient(realm, { resources: code.resources ?? [], ...settings })
  const person = { first_name: "Ann", last_name: "Lee", email_verification: "verified" }
  const user = userId === undefined ? await realm.user(person) : await realm.get(`/v2/users/${userId}`)
  const reply = await redeem(client, realm, await storedCode(sql, realm, client, user.id, code), {}, headers)
  if (reply.status !== 200) throw new Error(`No tokens: ${reply.status} ${reply.text}`)
  return { client, user, reply, accessToken: reply.string("access_token") }
}
