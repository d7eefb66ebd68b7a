import type { Api } from "#testing/Api"
import { withClient } from "../../test/harness/Database.ts"

/** A realm with its clients and a user, and the secret for requesting tokens. */
export interface OAuthSeeded {
  readonly realm: string
  readonly client: string
  readonly machine: string
  /** The secret of both clients. */
  readonly secret: string
}

const id = (prefix: string) => `'${prefix}' || lpad(to_hex(n), 9, '0') || repeat('0', 16)`

/** The digest of a seeded secret. */
const digest = (prefix: string) => `encode(sha256(('${prefix}' || lpad(n::text, 43, '0'))::bytea), 'base64')`

const SCOPES = "array['openid', 'profile', 'email', 'offline_access']"

/** Inserts codes of one session. They are valid for a day, which is longer than any run. */
const insertCodes = `insert into oauth_codes (realm_id, id, client_id, user_id, grant_id, redirect_uri, sid, scopes, resources,
    authenticated_at, created_at, expires_at)
  select $1, ${digest("oac_")}, $2, $3, ${id("gr_1")}, 'https://app.bench.test/callback', $6, ${SCOPES}, '{}', $5, $5,
    $5::timestamptz + interval '1 day'
  from generate_series(0, $4::int) n`

const insertGrants = `insert into oauth_grants (realm_id, id, client_id, user_id, scopes, resources, authenticated_at, created_at,
    last_used_at, expires_at)
  select $1, ${id("gr_0")}, $2, $3, ${SCOPES}, '{}', $5, $5, $5, $5::timestamptz + interval '30 days'
  from generate_series(0, $4::int) n`

const insertRefreshTokens = `insert into oauth_refresh_tokens (realm_id, id, grant_id, created_at, expires_at)
  select $1, ${digest("ort_")}, ${id("gr_0")}, $3, $3::timestamptz + interval '30 days' from generate_series(0, $2::int) n`

/** Creates a realm with two clients, a user, and the given number of codes and refresh tokens. */
export const seedOAuth = async (root: Api, url: string, count: number): Promise<OAuthSeeded> => {
  const { id: realm } = await root.post("/v2/realms", { realm: { name: "OAuth", jwt_algo: "hs256" } })
  const make = (noun: string, path: string, attributes: object) =>
    root.post(`${path}?realm_id=${realm}`, { [noun]: attributes })
  await make("client_app", "/v2/client_apps", { name: "Pages", login_handler: "https://app.bench.test/login" })
  const web = await make("client_app", "/v2/client_apps", {
    name: "Web",
    client_type: "web",
    redirect_uris: ["https://app.bench.test/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    allowed_scopes: ["openid", "profile", "email", "offline_access"],
    require_pkce: false,
    consent: "skip"
  })
  const machine = await make("client_app", "/v2/client_apps", { name: "Machine", client_type: "machine" })
  const attributes = { email: "jo@bench.test", first_name: "Jo", last_name: "March", credentials: [] }
  const user = await make("user", "/v2/users", attributes)
  const session = await make("session", "/v2/sessions", { user_id: user.id })
  const now = new Date()
  const secret = web.string("client_secret")
  await withClient(url, async (client) => {
    await client.query(insertCodes, [realm, web.id, user.id, count, now, session.id])
    await client.query(insertGrants, [realm, web.id, user.id, count, now])
    await client.query(insertRefreshTokens, [realm, count, now])
    // Both clients have the same secret.
    await client.query(
      `update oauth_client_secrets set digest = (select digest from oauth_client_secrets where realm_id = $1 and client_id = $2)
        where realm_id = $1 and client_id = $3`,
      [realm, web.id, machine.id]
    )
    await client.query("vacuum analyze")
  })
  return { realm, client: web.id, machine: machine.id, secret }
}

/** Creates the same data for the plain server. */
export const seedPlainOAuth = (url: string, seeded: OAuthSeeded, count: number): Promise<void> =>
  withClient(url, async (client) => {
    const { realm, secret } = seeded
    for (const each of [seeded.client, seeded.machine]) {
      await client.query(
        "insert into plain.oauth_clients (realm_id, id, secret_digest) values ($1, $2, encode(sha256($3::bytea), 'base64'))",
        [realm, each, secret]
      )
    }
    await client.query("insert into plain.oauth_people values ($1, 'usr_jo', 'jo@bench.test', 'Jo March')", [realm])
    await client.query(
      `insert into plain.oauth_codes (realm_id, id, client_id, user_id)
        select $1, ${digest("oac_")}, $2, 'usr_jo' from generate_series(0, $3::int) n`,
      [realm, seeded.client, count]
    )
    await client.query(
      `insert into plain.oauth_grants (realm_id, id, client_id, user_id)
        select $1, ${id("gr_0")}, $2, 'usr_jo' from generate_series(0, $3::int) n`,
      [realm, seeded.client, count]
    )
    await client.query(
      `insert into plain.oauth_refresh_tokens (realm_id, id, grant_id)
        select $1, ${digest("ort_")}, ${id("gr_0")} from generate_series(0, $2::int) n`,
      [realm, count]
    )
    await client.query("vacuum analyze")
  })
