import type { SqlClient } from "effect/sql/SqlClient"
import { encodeId } from "#domain/Ids"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { query } from "./query.ts"

/** The optional settings of a stored client. */
interface ClientSettings {
  readonly backchannel?: string | null
}

/** Stores an OAuth client and returns its id. */
export const storedClient = async (
  sql: SqlClient,
  realm: GivenRealm,
  { backchannel = null }: ClientSettings = {}
): Promise<string> => {
  const { id } = await realm.connectedApp()
  await query(sql`insert into oauth_clients (realm_id, id, post_logout_redirect_uris, backchannel_logout_uri, grant_types,
      token_endpoint_auth_method, allowed_scopes, resources, consent, require_pkce, require_par, require_dpop,
      access_token_minutes, refresh_token_days)
    values (${realm.id}, ${id}, '{}', ${backchannel}, '{authorization_code}', 'none', '{openid,offline_access}', '{}', 'ask', true,
      false, false, 60, 30)`)
  return id
}

let made = 0

/** The optional settings of a stored grant. */
interface GrantSettings {
  readonly sid?: string | null
  readonly scopes?: ReadonlyArray<string>
  /** Unix milliseconds. */
  readonly currentTime?: number
}

/** Stores a grant like one from a login at a client, and returns its id. It lasts 30 days. */
export const storedGrant = async (
  sql: SqlClient,
  realm: GivenRealm,
  clientId: string,
  userId: string,
  { sid = null, scopes = ["openid"], currentTime: at = STARTS_AT }: GrantSettings = {}
): Promise<string> => {
  const id = encodeId("grant", { millis: at, random: [0, ++made] })
  const [from, until] = [new Date(at), new Date(at + 30 * 86_400_000)]
  await query(sql`insert into oauth_grants
      (realm_id, id, client_id, user_id, sid, scopes, resources, created_at, last_used_at, expires_at)
    values (${realm.id}, ${id}, ${clientId}, ${userId}, ${sid}, ${scopes}, '{}', ${from}, ${from}, ${until})`)
  return id
}

/** Stores a user's consent to a client, and returns its id. */
export const storedConsent = async (
  sql: SqlClient,
  realm: GivenRealm,
  clientId: string,
  userId: string
): Promise<string> => {
  const [id, at] = [encodeId("consent", { millis: STARTS_AT, random: [0, ++made] }), new Date(STARTS_AT)]
  await query(sql`insert into oauth_consents (realm_id, id, user_id, client_id, scopes, resources, pairs, created_at,
      updated_at) values (${realm.id}, ${id}, ${userId}, ${clientId}, '{openid}', '{}', '{"openid "}', ${at}, ${at})`)
  return id
}
