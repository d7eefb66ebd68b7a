import { Effect, Redacted } from "effect"
import { expect, test } from "vitest"
import { Connections, layer as database } from "#sql/Database"
import { Given } from "#testing/Given"
import { TestSallyport } from "#testing/TestSallyport"
import { severable } from "../../support/severable.ts"

const AWAY = [503, ["The service can't reach its database. Try again in a moment."]]

/** A service on a database that can fall silent, and is given up after a second. */
const onSilentDatabase = async (
  use: (given: Given, database: Awaited<ReturnType<typeof severable>>) => Promise<void>
): Promise<void> => {
  const behind = await severable()
  const target = { _tag: "Postgres", url: Redacted.make(behind.url), poolSize: 3, answerWithin: 1 } as const
  await Effect.gen(function* () {
    const connections = yield* Connections
    yield* Effect.flatMap(TestSallyport, (kit) =>
      Effect.promise(() => use(new Given(kit.transport, kit.key), behind))
    ).pipe(Effect.provide(TestSallyport.layer({ connections })))
  }).pipe(Effect.provide(database(target)), Effect.runPromise)
  behind.close()
}

test(
  "C101: a database that keeps its connections and says nothing is given up: reads and writes get 503, and work again once it answers",
  () =>
    onSilentDatabase(async (given, database) => {
      const realm = await given.realm()
      const ada = await realm.user()
      const requests = [
        () => realm.get(`/v2/users/${ada.id}`),
        // A transaction: a connection of its own.
        () => realm.post("/v2/users", { user: { email: "eve@example.test", credentials: [] } }),
        () => realm.put(`/v2/users/${ada.id}`, { user: { reference: "4711" } })
      ]
      database.silence()
      const answers = await Promise.all([...requests, ...requests, ...requests].map((send) => send()))
      expect(answers.map(({ status, errors }) => [status, errors])).toEqual(answers.map(() => AWAY))
      const asked = performance.now()
      const ready = await given.root.get("/readyz")
      expect([ready.status, ready.body]).toMatchObject([503, { status: "not ready", database: "unreachable" }])
      expect(performance.now() - asked).toBeLessThan(4_000)

      database.mend()
      for (;;) {
        const again = await realm.get(`/v2/users/${ada.id}`)
        if (again.status === 503) continue
        // What was refused was not done.
        expect([again.status, again.body]).toMatchObject([200, { id: ada.id, reference: null }])
        break
      }
      expect((await realm.put(`/v2/users/${ada.id}`, { user: { reference: "4711" } })).status).toBe(200)
    }),
  30_000
)
