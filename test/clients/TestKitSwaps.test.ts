import { layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { decodeProtectedHeader } from "jose"
import { expect } from "vitest"
import { Entropy } from "#platform/Entropy"
import { Given } from "#testing/Given"
import {
  Connections,
  Mailer,
  MailRefused,
  Outbound,
  Signer,
  STARTS_AT,
  type Swaps,
  TestSallyport,
  VirtualClock
} from "#testing/TestSallyport"
import { freshConnections } from "../support/databases.ts"
import { recordedStatements } from "../support/statements.ts"

const settings = { publicUrl: "https://id.example.test" }

/** The service with parts replaced by a test. All such services share one database. */
const swapped = (swaps: Swaps) =>
  Effect.gen(function* () {
    const connections = yield* Connections
    return TestSallyport.layer({ ...settings, connections, startsAt: STARTS_AT }, swaps).pipe(
      Layer.provide(recordedStatements)
    )
  })

const realmOf = Effect.map(TestSallyport, ({ transport, key }) => new Given(transport, key)).pipe(
  Effect.flatMap((given) => Effect.promise(() => given.realm()))
)

const withSwaps = <A, E>(swaps: Swaps, use: Effect.Effect<A, E, TestSallyport>) =>
  Effect.flatMap(swapped(swaps), (layer) => Effect.provide(use, layer))

layer(freshConnections, { excludeTestServices: true })("The test kit lets a test replace", (it) => {
  it.effect("the clock, which two services can share", () =>
    Effect.gen(function* () {
      const clock = new VirtualClock(yield* Clock.Clock, STARTS_AT)
      const other = yield* Layer.build(yield* swapped({ clock }))
      const { advance } = Context.get(other, TestSallyport)
      yield* withSwaps(
        { clock },
        Effect.gen(function* () {
          yield* advance("2 days")
          clock.advance("1 day")
          const realm = yield* realmOf
          const { body } = yield* Effect.promise(() => realm.get(`/v2/realms/${realm.id}`))
          expect(body).toMatchObject({ created_at: STARTS_AT / 1_000 + 3 * 86_400 })
        })
      )
    })
  )

  it.effect("the mailer", () =>
    Effect.gen(function* () {
      const sent: Array<string> = []
      const mailer = Layer.succeed(
        Mailer,
        Mailer.of({
          send: ({ to }) => {
            sent.push(to)
            return sent.length > 1
              ? Effect.succeed("250 OK")
              : Effect.fail(new MailRefused({ message: "451 Later.", isFinal: false, isUnavailable: false }))
          }
        })
      )
      yield* withSwaps(
        { mailer },
        Effect.gen(function* () {
          const { advance, postbox } = yield* TestSallyport
          const realm = yield* realmOf
          const user = { email: "jo@swapped.example.test", email_verification: "requested" }
          yield* Effect.promise(() => realm.user(user))
          yield* advance("1 hour")
          expect(postbox.mails).toEqual([])
        })
      )
      expect(sent).toEqual(["jo@swapped.example.test", "jo@swapped.example.test"])
    })
  )

  it.effect("the outbound client", () =>
    Effect.gen(function* () {
      const posted: Array<string> = []
      const outbound = Layer.succeed(
        Outbound,
        Outbound.of({
          post: ({ url }) =>
            Effect.sync(() => ({ status: 200, retryAfter: undefined, excerpt: "", sent: posted.push(url) })),
          request: () => Effect.die("Nobody asks.")
        })
      )
      yield* withSwaps(
        { outbound },
        Effect.gen(function* () {
          const { advance, receiver } = yield* TestSallyport
          const realm = yield* realmOf
          const hook = { destination: "https://app.example.test/swapped", event_type: "org.created" }
          yield* Effect.promise(() => realm.post("/v2/hooks", { hook }))
          yield* Effect.promise(() => realm.org())
          yield* advance(0)
          expect(receiver.posts).toEqual([])
        })
      )
      expect(posted).toEqual(["https://app.example.test/swapped"])
    })
  )

  it.effect("the signer", () =>
    Effect.gen(function* () {
      const own = Layer.effect(
        Signer,
        Effect.map(Signer, (signer) =>
          Signer.of({
            ...signer,
            generate: () => Effect.succeed({ algo: "hs256", publicKey: null, secret: "jsk_".padEnd(47, "s") })
          })
        )
      ).pipe(Layer.provide(Signer.layer), Layer.provide(Entropy.layer))
      yield* withSwaps(
        { signer: own },
        Effect.gen(function* () {
          const realm = yield* realmOf
          const keys = yield* Effect.promise(() => realm.get("/v2/jwt_keys"))
          const key = yield* Effect.promise(() => realm.get(`/v2/jwt_keys/${String(keys.items[0]?.["id"])}`))
          expect(key.text).toContain("jsk_".padEnd(47, "s"))
          const user = yield* Effect.promise(() => realm.user())
          const session = yield* Effect.promise(() => realm.session(user.id))
          expect(decodeProtectedHeader(session.string("token"))).toMatchObject({
            alg: "HS256",
            kid: keys.items[0]?.["id"]
          })
        })
      )
    })
  )

  it.effect("the database, so that two services share their realms", () =>
    Effect.gen(function* () {
      const database = Layer.succeed(Connections, yield* Connections)
      const id = yield* Effect.provide(
        Effect.map(realmOf, (realm) => realm.id),
        TestSallyport.layer(settings, { database })
      )
      const { status } = yield* Effect.provide(
        Effect.flatMap(TestSallyport, ({ transport, key }) =>
          Effect.promise(() => new Given(transport, key).root.get(`/v2/realms/${id}`))
        ),
        TestSallyport.layer(settings, { database })
      )
      expect(status).toBe(200)
    })
  )
})
