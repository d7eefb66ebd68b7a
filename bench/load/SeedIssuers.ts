import type { Api } from "#testing/Api"
import { withClient } from "../../test/harness/Database.ts"
import { resealed, type StoredKey } from "../harness/SealedKeys.ts"

/**
 * Realms that act as issuers. Each has a client that uses client credentials. All clients have the same id and secret.
 */
export interface SeededIssuers {
  readonly realms: ReadonlyArray<string>
  readonly client: string
  readonly secret: string
}

/** Returns a statement that copies the rows of a realm to a list of realms. */
const copies = (table: string, key: string) =>
  `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('${key}', r))).* from ${table} t, unnest($2::text[]) r
    where t.${key} = $1`

/** Creates a realm with a client and a key, and copies it, because generating RSA keys takes a long time. */
export const seedIssuers = async (
  root: Api,
  url: string,
  secretText: string,
  count: number
): Promise<SeededIssuers> => {
  const { id: first } = await root.post("/v2/realms", { realm: { name: "Issuer", jwt_algo: "rs256" } })
  const machine = { name: "Machine", client_type: "machine" }
  const made = await root.post(`/v2/client_apps?realm_id=${first}`, { client_app: machine })
  const others = Array.from({ length: count - 1 }, (_, n) => `rl_1${String(n).padStart(25, "0")}`)
  await withClient(url, async (client) => {
    await client.query(copies("realms", "id"), [first, others])
    for (const table of ["login_policies", "oauth_clients", "oauth_client_secrets"]) {
      await client.query(copies(table, "realm_id"), [first, others])
    }
    const { rows } = await client.query<StoredKey>(
      "select realm_id, id, secret from jwt_keys where realm_id = $1 and algo = 'rs256'",
      [first]
    )
    for (const [n, key] of rows.entries()) {
      const keys = others.map((realm_id) => resealed(secretText, key, { realm_id, id: `jky_${n}${realm_id.slice(4)}` }))
      await client.query(
        `insert into jwt_keys (realm_id, id, algo, public_key, secret, created_at)
          select u.realm_id, u.id, k.algo, k.public_key, u.secret, k.created_at
          from jwt_keys k, unnest($3::text[], $4::text[], $5::text[]) u (realm_id, id, secret)
          where k.realm_id = $1 and k.id = $2`,
        [first, key.id, keys.map((one) => one.realm_id), keys.map((one) => one.id), keys.map((one) => one.secret)]
      )
    }
    await client.query("vacuum analyze")
  })
  return { realms: [first, ...others], client: made.id, secret: made.string("client_secret") }
}
