import { Api } from "#testing/Api"
import { withClient } from "../../test/harness/Database.ts"

/** Creates a realm with an org and a webhook. */
export const createHookedRealm = async (root: Api, destination: string, eventTypes: ReadonlyArray<string>) => {
  const realm = await root.post("/v2/realms", { realm: { name: "Deliveries", jwt_algo: "hs256" } })
  const org = await new Api(root.url, root.key, realm.id).post("/v2/orgs", { org: { name: "Org" } })
  const hook = await root.post("/v2/hooks", {
    hook: { hook_type: "webhook", realm_id: realm.id, event_type: eventTypes, destination }
  })
  return { realmId: realm.id, orgId: org.id, hookId: hook.id }
}

const insertEvents = `insert into events (realm_id, id, event_type, event_at, org_id, request_ip, request_client)
  select $1, 'ev_7' || lpad(to_hex(n), 9, '0') || repeat('0', 16), 'org.updated', $3, $4, '203.0.113.7', 'bench'
  from generate_series(1, $2::int) n`

const insertDeliveries = `insert into deliveries (realm_id, id, event_id, hook_realm_id, hook_id, hook_type, state, attempts,
    created_at, due_at)
  select $1, 'ent_' || lpad(to_hex($5::int + n), 10, '0') || repeat('0', 16),
    'ev_7' || lpad(to_hex(n), 9, '0') || repeat('0', 16), $1, $4, 'webhook', $6, 0, $3, $3
  from generate_series(1, $2::int) n`

/** Inserts past events of an org. */
export const insertPastEvents = (url: string, realmId: string, orgId: string, count: number): Promise<void> =>
  withClient(url, async (client) => {
    await client.query(insertEvents, [realmId, count, new Date(), orgId])
  })

/** The deliveries to insert. `from`: the number that the first id contains. */
interface Outbox {
  readonly count: number
  readonly state?: "in_progress" | "completed"
  readonly from?: number
}

/** Inserts a delivery for each of the first events, either due or completed. */
export const insertDueDeliveries = (
  url: string,
  realmId: string,
  hookId: string,
  { count, state = "in_progress", from = 0 }: Outbox
): Promise<void> =>
  withClient(url, async (client) => {
    await client.query(insertDeliveries, [realmId, count, new Date(), hookId, from, state])
  })
