import type { Client } from "pg"
import { Api } from "#testing/Api"
import { withClient } from "../harness/Database.ts"
import { firstAnswer, type Program, start } from "../harness/Servers.ts"
import { seedRealm } from "../load/Seed.ts"

/** How long it takes to clear a deleted realm, with the process killed in the middle and started again. */
export interface Clearing {
  readonly users: number
  /** All rows of the realm, in all tables. */
  readonly rows: number
  /** From the DELETE until a read of the realm is 404, in milliseconds. */
  readonly millisUntilGone: number
  /** From the DELETE until nothing is left to clear, the restart included. */
  readonly seconds: number
  /** Rows of another realm, which stay as they are. */
  readonly sparedRows: number
  readonly wrong: number
  readonly firstWrong: string | undefined
}

/** How long it takes three processes to end invitations that fall due at once. */
export interface Expiry {
  readonly invitations: number
  /** From the instant they fall due until the last is gone; and from the first to the last of them. */
  readonly secondsFromDue: number
  readonly secondsAtWork: number
  readonly wrong: number
  readonly firstWrong: string | undefined
}

const PROCESSES = 3

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const id = (prefix: string, width = 10) =>
  `'${prefix}' || lpad(to_hex(row_number() over (order by u.id)), ${width}, '0') || repeat('0', 16)`

const insertMemberships = `insert into memberships (realm_id, id, user_id, org_id, permissions, custom, created_at)
  select realm_id, ${id("mb_")}, u.id, $2, '{}', '{}', created_at from users u where realm_id = $1`

const insertEvents = `insert into events (realm_id, id, event_type, event_at, user_id)
  select realm_id, ${id("ev_7", 9)}, 'user.created', created_at, u.id from users u where realm_id = $1`

const insertInvitations = `insert into invitations (realm_id, id, invitation_type, email, locale, permissions, org_id,
    token_digest, token, created_at, expires_at)
  select $1, 'nvt_' || lpad(to_hex(n), 10, '0') || repeat('0', 16), 'org', 'guest' || n || '@example.test', 'en', '{}', $2,
    sha256(n::text::bytea), 'sealed', $3::timestamptz - interval '30 days', $3 from generate_series(1, $4::int) n`

/** Whether anything is found, or until when nothing is. */
const until = async (client: Client, query: string, values: ReadonlyArray<unknown>): Promise<void> => {
  while (((await client.query(query, [...values])).rowCount ?? 0) === 0) await wait(20)
}

/** Every row of a realm, table by table: how many, and a digest of them. */
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

/** Deletes a realm of many users beside one that stays. */
export const measureClearing = (
  program: Program,
  rootKey: string,
  url: string,
  { users, spared }: { readonly users: number; readonly spared: number }
): Promise<Clearing> =>
  withClient(url, async (client) => {
    const first = await start(program)
    await firstAnswer(first, "/healthz")
    const root = new Api(`http://127.0.0.1:${first.port}`, rootKey)
    const { realmId } = await populated(root, client, url, 4, users)
    const other = await populated(root, client, url, 5, spared)
    await client.query("vacuum analyze")
    const rows = total(await contentOf(client, realmId))
    const before = await contentOf(client, other.realmId)

    const asked = performance.now()
    const { status } = await root.delete(`/v2/realms/${realmId}`)
    if (status !== 202) throw new Error(`The deletion was answered ${status}.`)
    while ((await root.get(`/v2/realms/${realmId}`)).status !== 404) await wait(1)
    const millisUntilGone = performance.now() - asked
    // Sessions and credentials are the first to be cleared; memberships, users and events are left.
    await until(client, "select where not exists (select from credentials where realm_id = $1)", [realmId])
    await first.stop("SIGKILL")
    const left = await client.query("select from users where realm_id = $1 limit 1", [realmId])
    const second = await start(program)
    await until(client, "select where not exists (select from realm_jobs where realm_id = $1)", [realmId])
    const seconds = (performance.now() - asked) / 1_000
    await second.stop("SIGKILL")

    const remains = (await contentOf(client, realmId)).filter((table) => table.rows > 0)
    const after = await contentOf(client, other.realmId)
    const problems = [
      ...(left.rowCount === 0 ? ["the kill came too late"] : []),
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

/** Lets invitations fall due at once. */
export const measureExpiry = (program: Program, rootKey: string, url: string, invitations: number): Promise<Expiry> =>
  withClient(url, async (client) => {
    const servers = await Promise.all(Array.from({ length: PROCESSES }, () => start(program)))
    for (const server of servers) await firstAnswer(server, "/healthz")
    const root = new Api(`http://127.0.0.1:${servers[0]?.port}`, rootKey)
    const realm = await root.post("/v2/realms", { realm: { name: "Guests", jwt_algo: "hs256" } })
    const org = await new Api(root.url, rootKey, realm.id).post("/v2/orgs", { org: { name: "Org" } })
    const due = new Date(Date.now() + 3_000)
    await client.query(insertInvitations, [realm.id, org.id, due, invitations])
    await client.query("analyze invitations")
    await until(client, "select where not exists (select from invitations where realm_id = $1)", [realm.id])
    const ended = Date.now()
    const { rows } = await client.query<{ events: number; distinct: number; began: Date }>(
      `select count(*)::int as events, count(distinct invitation_id)::int as distinct, min(event_at) as began from events
        where realm_id = $1 and event_type = 'invitation.org.expired'`,
      [realm.id]
    )
    for (const server of servers) await server.stop("SIGKILL")
    const [found] = rows
    const right = found?.events === invitations && found.distinct === invitations
    return {
      invitations,
      secondsFromDue: (ended - due.getTime()) / 1_000,
      secondsAtWork: (ended - (found?.began.getTime() ?? ended)) / 1_000,
      wrong: right ? 0 : 1,
      firstWrong: right ? undefined : `${found?.events} events of ${found?.distinct} invitations`
    }
  })
