import { Effect } from "effect"
import { expect, test } from "vitest"
import { authenticate, authenticateV1, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { serviceAlone } from "../../support/sallyport.ts"

test("SEC-111: of many logins of one account one waits in the database, and the reads of others go on", () =>
  serviceAlone(async ({ given, sql, besideSql }) => {
    const [realm, other] = [await given.realm(), await given.realm()]
    const user = await quickUser(realm)
    const org = await other.org()
    const waiting = Effect.map(
      sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
      ([row]) => row?.count ?? 0
    )
    const held = Promise.withResolvers<void>()
    const letGo = Promise.withResolvers<void>()
    const holding = Effect.runPromise(
      besideSql.withTransaction(
        Effect.andThen(
          besideSql`select 1 from users where id = ${user.id} for update`,
          Effect.promise(() => {
            held.resolve()
            return letGo.promise
          })
        )
      )
    )
    await held.promise
    const entryPoints = [
      () => authenticate(realm, user.id),
      () => authenticateV1(realm, user.id),
      () =>
        realm.put(`/v2/users/${user.id}/update_password`, {
          user: { current_password: "not this one", password: OTHER_PASSWORD }
        })
    ]
    const tries = Promise.all(Array.from({ length: 30 }, (_, n) => entryPoints[n % entryPoints.length]?.()))
    while ((await Effect.runPromise(waiting)) === 0) continue
    const reads = await Promise.all(Array.from({ length: 20 }, () => other.get(`/v2/orgs/${org.id}`)))
    expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200))
    expect((await other.post("/v2/orgs", { org: { name: "Acme" } })).status).toBe(201)
    expect(await Effect.runPromise(waiting)).toBe(1)
    letGo.resolve()
    await holding
    const statuses = new Set((await tries).map((reply) => reply?.status))
    expect([...statuses].filter((status) => ![200, 201, 422, 429].includes(status ?? 0))).toEqual([])
    expect((await authenticate(realm, user.id, PASSWORD)).status).not.toBe(503)
  }))
