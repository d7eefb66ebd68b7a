import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { Effect, Redacted } from "effect"
import { expect, test } from "vitest"
import { Connections, layer as database } from "#sql/Database"
import { connectionsOf } from "#sql/Postgres"
import { Given } from "#testing/Given"
import { TestSallyport } from "#testing/TestSallyport"
import { localCertificate, severablePostgres } from "../../support/severable.ts"

const AWAY = [503, ["The service can't reach its database. Try again in a moment."]]

/** The maximum time in seconds that the database of these tests may stay silent. */
const ANSWER_WITHIN = 1

/** A service's number of connections for requests, for long statements (maximum) and for health checks. */
const POOLS = { fast: 3, slow: 4, health: 1 }

/** A service on a database that can fall silent, with a timeout of one second. */
const onSilentDatabase = async (
  use: (given: Given, database: Awaited<ReturnType<typeof severablePostgres>>) => Promise<void>,
  options: { readonly tls?: boolean } = {}
): Promise<void> => {
  const behind = await severablePostgres(options)
  const target = {
    _tag: "Postgres",
    url: Redacted.make(behind.url),
    pooler: behind.pooler,
    poolSize: POOLS.fast,
    answerWithin: ANSWER_WITHIN
  } as const
  await Effect.gen(function* () {
    const connections = yield* Connections
    yield* Effect.flatMap(TestSallyport, (kit) =>
      Effect.promise(() => use(new Given(kit.transport, kit.key), behind))
    ).pipe(Effect.provide(TestSallyport.layer({ connections })))
  }).pipe(Effect.provide(database(target)), Effect.runPromise)
  behind.close()
}

/** Sends the requests that get 503 while the database is silent. */
const askInSilence = async (
  given: Given,
  begin: () => void,
  rounds = 3
): Promise<{ readonly took: number; readonly worksAgain: () => Promise<void> }> => {
  const realm = await given.realm()
  const ada = await realm.user()
  const requests = [
    () => realm.get(`/v2/users/${ada.id}`),
    // A transaction needs a connection for itself.
    () => realm.post("/v2/users", { user: { email: "eve@example.test", credentials: [] } }),
    () => realm.put(`/v2/users/${ada.id}`, { user: { reference: "4711" } })
  ]
  begin()
  const asked = performance.now()
  const answers = await Promise.all(Array.from({ length: rounds }, () => requests.map((send) => send())).flat())
  const took = performance.now() - asked
  expect(answers.map(({ status, errors }) => [status, errors])).toEqual(answers.map(() => AWAY))
  const probed = performance.now()
  const ready = await given.root.get("/readyz")
  expect([ready.status, ready.body]).toMatchObject([503, { status: "not ready", database: "unreachable" }])
  expect(performance.now() - probed).toBeLessThan(4_000)
  return {
    took,
    worksAgain: async () => {
      for (;;) {
        const again = await realm.get(`/v2/users/${ada.id}`)
        if (again.status === 503) continue
        // The failed requests have changed nothing.
        expect([again.status, again.body]).toMatchObject([200, { id: ada.id, reference: null }])
        break
      }
      expect((await realm.put(`/v2/users/${ada.id}`, { user: { reference: "4711" } })).status).toBe(200)
    }
  }
}

test(
  "C101: the service returns 503 while the database is silent, and recovers afterwards",
  () =>
    onSilentDatabase(async (given, database) => {
      const { worksAgain } = await askInSilence(given, database.silence)
      database.mend()
      await worksAgain()
    }),
  30_000
)

test.each([
  false,
  true
])("RG-15: the service opens no connection over the limit and leaks none when a network drops packets (TLS: %s)", async (tls) => {
  setDefaultCACertificates([...getCACertificates(), localCertificate])
  await onSilentDatabase(
    async (given, database) => {
      const { took, worksAgain } = await askInSilence(given, database.drop, 1)
      // Each request has a connection or waits for a new one.
      expect(took).toBeLessThan(3 * ANSWER_WITHIN * 1_000)
      database.mend()
      await worksAgain()
      await expect.poll(() => database.open()).toBeLessThanOrEqual(connectionsOf(POOLS))
      // Every connection of the pool works again, each for a transaction.
      const realm = await given.realm()
      const ada = await realm.user()
      const updates = Array.from({ length: 12 }, () => realm.put(`/v2/users/${ada.id}`, { user: { reference: "x" } }))
      expect((await Promise.all(updates)).map(({ status }) => status)).toEqual(updates.map(() => 200))
    },
    { tls }
  )
}, 30_000)
