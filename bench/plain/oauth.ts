import { createHash, generateKeyPairSync, randomBytes, sign, verify } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import type { QueryResultRow } from "pg"
import { preparing } from "./Database.ts"
import { freshId } from "./Ids.ts"

// The plain token server. It runs one statement per request, signs with RS256, and makes only the necessary checks.

const query = preparing({
  client: "select from plain.oauth_clients where realm_id = $1 and id = $2 and secret_digest = $3",
  redeem: `with c as (select from plain.oauth_clients where realm_id = $1 and id = $2 and secret_digest = $3),
    code as (update plain.oauth_codes set used_at = $4 from c
      where realm_id = $1 and id = $5 and client_id = $2 and used_at is null returning user_id),
    g as (insert into plain.oauth_grants (realm_id, id, client_id, user_id) select $1, $6, $2, user_id from code),
    t as (insert into plain.oauth_refresh_tokens (realm_id, id, grant_id) select $1, $7, $6 from code),
    e as (insert into plain.oauth_events (realm_id, id, event_type, event_at)
      select $1, $8, 'oauth.grant.created', $4 from code)
    select p.id, p.email, p.name, $6 as grant_id from code
      join plain.oauth_people p on p.realm_id = $1 and p.id = code.user_id`,
  refresh: `with c as (select from plain.oauth_clients where realm_id = $1 and id = $2 and secret_digest = $3),
    t as (update plain.oauth_refresh_tokens set used_at = $4 from c
      where realm_id = $1 and id = $5 and used_at is null returning grant_id),
    n as (insert into plain.oauth_refresh_tokens (realm_id, id, grant_id) select $1, $6, grant_id from t)
    select p.id, p.email, p.name, t.grant_id from t
      join plain.oauth_grants g on g.realm_id = $1 and g.id = t.grant_id and g.ended_at is null
      join plain.oauth_people p on p.realm_id = $1 and p.id = g.user_id`,
  person: `select p.id, p.email, p.name from plain.oauth_grants g
      join plain.oauth_people p on p.realm_id = $1 and p.id = g.user_id
    where g.realm_id = $1 and g.id = $2 and g.ended_at is null`
})

interface Person extends QueryResultRow {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly grant_id: string
}

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
const headers = { access: base64url({ alg: "RS256", typ: "at+jwt" }), id: base64url({ alg: "RS256", typ: "JWT" }) }

const jwt = (header: string, claims: object): string => {
  const input = `${header}.${base64url(claims)}`
  return `${input}.${sign("sha256", Buffer.from(input), privateKey).toString("base64url")}`
}

const claimsIn = (token: string): Readonly<Record<string, unknown>> | undefined => {
  const at = token.lastIndexOf(".")
  const signature = Buffer.from(token.slice(at + 1), "base64url")
  if (!verify("sha256", Buffer.from(token.slice(0, at)), publicKey, signature)) return undefined
  return JSON.parse(Buffer.from(token.slice(token.indexOf(".") + 1, at), "base64url").toString())
}

const digest = (secret: string) => createHash("sha256").update(secret).digest("base64")

const accessToken = (realm: string, client: string, more: object): string => {
  const iat = Math.floor(Date.now() / 1_000)
  const iss = `http://plain.test/realms/${realm}`
  return jwt(headers.access, {
    iss,
    aud: iss,
    client_id: client,
    iat,
    exp: iat + 3_600,
    jti: randomBytes(16).toString("hex"),
    ...more
  })
}

const idToken = (realm: string, client: string, { id, email, name }: Person): string => {
  const iat = Math.floor(Date.now() / 1_000)
  return jwt(headers.id, {
    iss: `http://plain.test/realms/${realm}`,
    aud: client,
    sub: id,
    iat,
    exp: iat + 600,
    email,
    name
  })
}

type Answer = readonly [status: number, body: object]

const tokens = (realm: string, client: string, person: Person | undefined, refresh_token: string): Answer =>
  person === undefined
    ? [400, { error: "invalid_grant" }]
    : [
        200,
        {
          access_token: accessToken(realm, client, {
            sub: person.id,
            scope: "openid profile email",
            grant: person.grant_id
          }),
          token_type: "Bearer",
          expires_in: 3_600,
          scope: "openid profile email offline_access",
          refresh_token,
          id_token: idToken(realm, client, person)
        }
      ]

const clientOf = ({ headers: { authorization = "" } }: IncomingMessage) => {
  const [id = "", secret = ""] = Buffer.from(authorization.slice("Basic ".length), "base64").toString().split(":")
  return { id, digest: digest(secret) }
}

const token = async (realm: string, request: IncomingMessage): Promise<Answer> => {
  const [form, client, now] = [new URLSearchParams(await text(request)), clientOf(request), new Date()]
  const next = `ort_${randomBytes(32).toString("hex")}`
  const given = (name: string) => digest(form.get(name) ?? "")
  if (form.get("grant_type") === "authorization_code") {
    const ids = [freshId("gr_"), digest(next), freshId("ev_")]
    const values = [realm, client.id, client.digest, now, given("code"), ...ids]
    return tokens(realm, client.id, (await query<Person>("redeem", values))[0], next)
  }
  if (form.get("grant_type") === "refresh_token") {
    const values = [realm, client.id, client.digest, now, given("refresh_token"), digest(next)]
    return tokens(realm, client.id, (await query<Person>("refresh", values))[0], next)
  }
  const [known] = await query("client", [realm, client.id, client.digest])
  if (known === undefined) return [401, { error: "invalid_client" }]
  const access_token = accessToken(realm, client.id, { sub: client.id, scope: "reports:read" })
  return [200, { access_token, token_type: "Bearer", expires_in: 3_600, scope: "reports:read" }]
}

const personOf = async (realm: string, claims: Readonly<Record<string, unknown>> | undefined) =>
  claims === undefined ? undefined : (await query<Person>("person", [realm, claims["grant"]]))[0]

const userinfo = async (realm: string, { headers: { authorization = "" } }: IncomingMessage): Promise<Answer> => {
  const person = await personOf(realm, claimsIn(authorization.slice("Bearer ".length)))
  if (person === undefined) return [401, { error: "invalid_token" }]
  return [200, { sub: person.id, name: person.name, email: person.email, email_verified: true }]
}

const introspect = async (realm: string, request: IncomingMessage): Promise<Answer> => {
  const [form, client] = [new URLSearchParams(await text(request)), clientOf(request)]
  const [known] = await query("client", [realm, client.id, client.digest])
  if (known === undefined) return [401, { error: "invalid_client" }]
  const claims = claimsIn(form.get("token") ?? "")
  const person = await personOf(realm, claims)
  return [200, person === undefined ? { active: false } : { active: true, ...claims }]
}

const answer = (request: IncomingMessage): Promise<Answer> | Answer => {
  const [, , realm = "", endpoint] = (request.url ?? "").split("/")
  if (endpoint === "token") return token(realm, request)
  if (endpoint === "userinfo") return userinfo(realm, request)
  return endpoint === "introspect" ? introspect(realm, request) : [200, { status: "ok" }]
}

createServer((request, response) => {
  void Promise.resolve(answer(request)).then(([status, body]) => {
    const sent = JSON.stringify(body)
    const length = Buffer.byteLength(sent)
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": length,
      "cache-control": "no-store"
    })
    response.end(sent)
  })
}).listen(Number(process.env.PORT), process.env.HOST)
