import type { Client } from "pg"
import { Api } from "#testing/Api"
import { waitForRow, withClient } from "../../test/harness/Database.ts"
import { type Program, start, timeToFirstResponse } from "../../test/harness/Servers.ts"
import { seedRealm } from "../load/Seed.ts"

/** The duration of a realm's deletion. During the deletion, the process is killed and restarted once. */
export interface RealmDeletion {
  readonly users: number
  /** The number of rows of the realm in all tables. */
  readonly rows: number
  /** The milliseconds from the DELETE request until a read of the realm returns 404. */
  readonly millisUntilGone: number
  /** The seconds from the DELETE request until no row is left, including the restart. */
  readonly seconds: number
  /** The number of rows of another realm, which must not change. */
  readonly sparedRows: number
  readonly wrong: number
  readonly firstWrong: string | undefined
}

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const id = (prefix: string, width = 10) =>
  `'${prefix}' || lpad(to_hex(row_number() over (order by u.id)), ${width}, '0') || repeat('0', 16)`

const insertMemberships = `insert into memberships (realm_id, id, user_id, org_id, permissions, custom, created_at)
  select realm_id, ${id("mb_")}, u.id, $2, '{}', '{}', created_at from users u where realm_id = $1`

const insertEvents = `insert into events (realm_id, id, event_type, event_at, user_id)
  select realm_id, ${id("ev_7", 9)}, 'user.created', created_at, u.id from users u where realm_id = $1`

/** The number of rows of a realm in each table, and a digest of the rows. */
const contentOf = async (client: Client, realmId: string) => {
  const { rows: tables } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'realm_id' and table_name not in ('realm_jobs', 'released_subdomains') order by 1`
  )
  const found: Array<{ readonly table: string; readonly rows: number; readonly digest: string | null }> = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ rows: number; digest: string | null }>(
      `select count(*)::int as rows, md5(string_agg(md5(t::text), '' order by md5(t::text))) as digest
        from ${name} t where realm_id = $1`,
      [realmId]
    )
    if (rows[0] !== undefined) found.push({ table: name, ...rows[0] })
  }
  return found
}

const total = (content: Awaited<ReturnType<typeof contentOf>>) => content.reduce((sum, { rows }) => sum + rows, 0)

const populated = async (root: Api, client: Client, url: string, number: number, users: number) => {
  const realm = await seedRealm(root, url, number, users)
  const org = await new Api(root.url, root.key, realm.id).post("/v2/orgs", { org: { name: "Org" } })
  await client.query(insertMemberships, [realm.id, org.id])
  await client.query(insertEvents, [realm.id])
  return { realmId: realm.id, orgId: org.id }
}

/** Deletes a realm with many users, and compares the rows of another realm before and after. */
export const measureRealmDeletion = (
  program: Program,
  rootKey: string,
  url: string,
  { users, spared }: { readonly users: number; readonly spared: number }
): Promise<RealmDeletion> =>
  withClient(url, async (client) => {
    const first = await start(program)
    await timeToFirstResponse(first, "/healthz")
    const root = new Api(`http://127.0.0.1:${first.port}`, rootKey)
    const { realmId } = await populated(root, client, url, 4, users)
    const other = await populated(root, client, url, 5, spared)
    await client.query("vacuum analyze")
    const rows = total(await contentOf(client, realmId))
    const before = await contentOf(client, other.realmId)

    const requestedAt = performance.now()
    const { status } = await root.delete(`/v2/realms/${realmId}`)
    if (status !== 202) throw new Error(`The deletion returned ${status}.`)
    while ((await root.get(`/v2/realms/${realmId}`)).status !== 404) await wait(1)
    const millisUntilGone = performance.now() - requestedAt
    // Sessions and credentials are deleted first, so memberships, users and events still exist at this point.
    await waitForRow(client, "select where not exists (select from credentials where realm_id = $1)", [realmId])
    await first.stop("SIGKILL")
    const left = await client.query("select from users where realm_id = $1 limit 1", [realmId])
    const second = await start(program)
    await waitForRow(client, "select where not exists (select from realm_jobs where realm_id = $1)", [realmId])
    const seconds = (performance.now() - requestedAt) / 1_000
    await second.stop("SIGKILL")

    const remains = (await contentOf(client, realmId)).filter((table) => table.rows > 0)
    const after = await contentOf(client, other.realmId)
    const problems = [
      ...(left.rowCount === 0 ? ["the kill was too late"] : []),
      ...remains.flatMap((one) =>
        one.table === "events" && one.rows === 1 ? [] : [`${one.rows} of ${one.table} left`]
      ),
      ...before.flatMap((one, n) =>
        one.rows === after[n]?.rows && one.digest === after[n]?.digest
          ? []
          : [`${one.table} of the other realm changed`]
      )
    ]
    return {
      users,
      rows,
      millisUntilGone,
      seconds,
      sparedRows: total(before),
      wrong: problems.length,
      firstWrong: problems[0]
    }
  })
