import { type Duration, Effect } from "effect"
import { Connections, type DatabaseTarget, layer as database } from "#sql/Database"
import type { Api, Reply } from "#testing/Api"
import { Given, GivenRealm, uniqueText } from "#testing/Given"
import { STARTS_AT, type TestOptions, TestSallyport } from "#testing/TestSallyport"
import { newDevice } from "./credentials.ts"
import { freshDatabase } from "./databases.ts"
import { stateFor } from "./external.ts"
import { webhook } from "./hooks.ts"
import { PASSWORD } from "./logins.ts"
import { query } from "./query.ts"

interface Kit extends Pick<TestSallyport["Service"], "url" | "transport" | "key" | "sql"> {
  /** Advances the clock and runs everything that becomes due. */
  readonly advance: (by: Duration.Input) => Promise<number>
}

const kitOf = ({ url, transport, key, sql, advance }: TestSallyport["Service"]): Kit => ({
  url,
  transport,
  key,
  sql,
  advance: (by) => Effect.runPromise(advance(by))
})

/** Runs services one after the other on one database, each with its own encryption keys. */
export const onOneDatabase = async (
  use: (
    under: <A>(secrets: ReadonlyArray<string>, use: (kit: Kit, given: Given) => Promise<A>) => Promise<A>,
    target: DatabaseTarget
  ) => Promise<void>
): Promise<void> => {
  const target = await freshDatabase()
  return Effect.gen(function* () {
    const connections = yield* Connections
    const options: TestOptions = { connections, mail: "mailbox", publicUrl: "https://id.localhost" }
    let startsAt = STARTS_AT
    yield* Effect.promise(() =>
      use(
        (secrets, withKit) =>
          TestSallyport.pipe(
            Effect.flatMap((kit) => Effect.promise(() => withKit(kitOf(kit), new Given(kit.transport, kit.key)))),
            // Starts later than anything the previous service has done.
            Effect.provide(TestSallyport.layer({ ...options, secrets, startsAt: (startsAt += 120_000) })),
            Effect.runPromise
          ),
        target
      )
    )
  }).pipe(Effect.provide(database(target)), Effect.runPromise)
}

/** An idempotent request that creates an org. */
export const newOrgOnce = (caller: Api, name: string): Promise<Reply> =>
  caller.post("/v2/orgs", { org: { name } }, { "idempotency-key": `key-of-${name}` })

/** Creates one encrypted value of each kind, in a new realm. */
export const oneOfEverySecret = async ({ advance }: Kit, given: Given) => {
  const realm = await given.realm({ api_key_policy: "encrypt" })
  const mailed = await realm.user({ password: PASSWORD, email_verification: "requested" })
  await advance("1 minute")
  const hook = await webhook(realm, { event_type: ["org.created"] })
  await realm.post(`/v2/hooks/${hook.id}/rotate_secret`, {})
  const provider = await realm.authProvider()
  const device = await newDevice(realm, mailed.id)
  const robot = await realm.apiUser({ api_key: "generate" })
  const invitation = await realm.invitation()
  const state = await stateFor(realm, provider.id)
  const name = uniqueText("Once")
  const org = await newOrgOnce(realm, name)
  return { realm, mailed, hook, provider, device, robot, invitation, state, name, org }
}

/** The same realm as served by another service. */
export const servedBy = (kit: Kit, { id }: GivenRealm): GivenRealm => new GivenRealm(kit.transport, kit.key, id)

/** The columns with encrypted values, and the keys used in each. */
export const encryptionKeysIn = async ({ sql }: Kit): Promise<Readonly<Record<string, ReadonlyArray<string>>>> => {
  const columns = await query(
    sql<{ readonly table_name: string; readonly column_name: string }>`select table_name, column_name
      from information_schema.columns where table_schema = 'public' and data_type = 'text' order by 1, 2`
  )
  const found: Record<string, ReadonlyArray<string>> = {}
  for (const { table_name: table, column_name: column } of columns) {
    const keys = await query(
      sql<{ readonly key: string }>`select distinct left(${sql(column)}, 12) as key from ${sql(table)}
        where ${sql(column)} ~ '^v1\\.[0-9a-f]{8}\\.' order by 1`
    )
    if (keys.length > 0) found[`${table}.${column}`] = keys.map(({ key }) => key)
  }
  return found
}
