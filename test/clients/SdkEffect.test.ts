import { assert, describe, it } from "@effect/vitest"
import { Config, ConfigProvider, Effect, Exit, Fiber, Layer, Redacted, Stream } from "effect"
import { Sallyport, SallyportClient } from "#client/effect/Sallyport"
import { uniqueText } from "#testing/Given"
import { service } from "../support/sallyport.ts"
import { inNewRealm, rootOptions } from "../support/sdk.ts"

/** A client of the worker's service in a new realm, provided as a service. */
const inRealm = Layer.unwrap(
  Effect.promise(async () => {
    const { realm } = await inNewRealm()
    const { key, ...options } = await rootOptions()
    return Sallyport.layer({ ...options, key: Redacted.make(key), realmId: realm.id })
  })
)

const newUser = () => ({ email: `${uniqueText("ada")}@example.test`, credentials: [] })

describe("the SDK for Effect", () => {
  it.live("offers the operations of the promise client as effects", () =>
    Effect.gen(function* () {
      const sallyport = yield* Sallyport
      const user = yield* sallyport.users.create(newUser())
      const updated = yield* sallyport.users.update(user.id, { first_name: "Ada" })
      assert.strictEqual(updated.first_name, "Ada")
      assert.deepStrictEqual(yield* sallyport.users.get(user.id), updated)
      assert.strictEqual((yield* sallyport.v1.orgs.list()).items.length, 0)
    }).pipe(Effect.provide(inRealm))
  )

  it.live("fails with the errors of the promise client, which can be caught by tag", () =>
    Effect.gen(function* () {
      const sallyport = yield* Sallyport
      const caught = yield* sallyport.users
        .create({ email: "nonsense" })
        .pipe(Effect.catchTag("Invalid", ({ details }) => Effect.succeed(details.map(({ field }) => field))))
      assert.deepStrictEqual(caught, ["email", "password"])
    }).pipe(Effect.provide(inRealm))
  )

  it.live("returns a list as a page or as a stream of all items", () =>
    Effect.gen(function* () {
      const sallyport = yield* Sallyport
      for (let index = 0; index < 3; index += 1) yield* sallyport.users.create(newUser())
      const list = sallyport.users.list({ max_results: 2 })
      assert.strictEqual((yield* list).items.length, 2)
      assert.strictEqual((yield* Stream.runCollect(list.stream)).length, 3)
    }).pipe(Effect.provide(inRealm))
  )

  it.live("imports from a stream and returns a summary, or a stream of the rejected rows", () =>
    Effect.gen(function* () {
      const sallyport = yield* Sallyport
      const rows = Stream.fromArray([{ reference: "r1", email: "r1@example.test" }, { email: "none" }])
      assert.strictEqual((yield* sallyport.imports.import(rows)).created, 1)
      const lines = yield* Stream.runCollect(sallyport.imports.import(rows).stream)
      assert.deepStrictEqual(
        lines.map(({ object }) => object),
        ["refused_row", "import"]
      )
      const exported = sallyport.exports.export()
      const all = yield* Stream.runCollect(exported)
      assert.deepStrictEqual(
        all.map(({ reference }) => reference),
        ["r1"]
      )
      assert.strictEqual((yield* Stream.runCollect(exported.lines)).length, 3)
    }).pipe(Effect.provide(inRealm))
  )

  it.live("aborts the request when interrupted", () =>
    Effect.gen(function* () {
      const started = Promise.withResolvers<void>()
      const ended = Promise.withResolvers<unknown>()
      const sallyport = new SallyportClient({
        url: "https://id.example.com",
        key: "sk_1",
        fetch: (_, { signal }) => {
          started.resolve()
          return new Promise((_, reject) =>
            signal.addEventListener("abort", () => {
              ended.resolve(signal.reason)
              reject(signal.reason)
            })
          )
        }
      })
      const fiber = yield* Effect.forkChild(sallyport.users.get("usr_1"))
      yield* Effect.promise(() => started.promise)
      yield* Fiber.interrupt(fiber)
      yield* Effect.promise(() => ended.promise)
    })
  )

  it.live("treats a caller's mistake as a defect", () =>
    Effect.gen(function* () {
      const sallyport = yield* Sallyport
      const exit = yield* Effect.exit(sallyport.users.get(""))
      assert.isTrue(Exit.hasDies(exit))
    }).pipe(Effect.provide(inRealm))
  )

  it.live("can read its URL and key from the configuration", () =>
    Effect.gen(function* () {
      const { url, key } = yield* Effect.promise(service)
      const { fetch } = yield* Effect.promise(rootOptions)
      const environment = ConfigProvider.fromUnknown({ SALLYPORT_URL: url, SALLYPORT_KEY: key })
      const layer = Sallyport.layerConfig(
        { url: Config.String("SALLYPORT_URL"), key: Config.Redacted("SALLYPORT_KEY") },
        { fetch }
      ).pipe(Layer.provide(ConfigProvider.layer(environment)))
      const realms = yield* Effect.provide(
        Effect.flatMap(Sallyport, (sallyport) => sallyport.realms.list({ max_results: 1 })),
        layer
      )
      assert.strictEqual(realms.items.length, 1)
    })
  )
})
