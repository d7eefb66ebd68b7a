import { expect, it } from "@effect/vitest"
import { Array as Arr, Clock, Effect, Fiber, Layer, Redacted } from "effect"
import { Mailbox } from "#core/mail/Mailbox"
import { Realms } from "#core/realms/Realms"
import { CurrentRealm, defaultSettings } from "#domain/Realm"
import { mailbox } from "#server/LocalMail"
import { Clients } from "#server/Sallyport"
import { MailboxRepo } from "#store/operations/MailboxRepo"
import { VirtualClock } from "#testing/VirtualClock"
import { testCore, testKey } from "../support/core.ts"
import { freshConnections } from "../support/databases.ts"

const layer = Layer.mergeAll(
  mailbox({ secrets: [Redacted.make(testKey)] }),
  MailboxRepo.layer.pipe(Layer.provide(Clients)),
  testCore
).pipe(Layer.provide(freshConnections))

const all = { realmId: undefined, to: undefined, toPart: undefined, createdAfter: undefined, newerThan: undefined }

const setUp = Effect.gen(function* () {
  const realms = yield* Realms
  const realm = yield* realms.create({ ...defaultSettings("v2"), name: "Realm", jwtAlgo: "hs256" })
  const mailOf = (n: number) => ({
    realmId: realm.id,
    messageId: `${n}@id.example.test`,
    from: { address: "no-reply@id.example.test", name: null },
    to: `u${n}@example.test`,
    subject: `Mail ${n}`,
    html: null,
    text: `Text ${n}`
  })
  return { realms, realm, mailOf, box: yield* Mailbox, repo: yield* MailboxRepo }
})

const subjects = (box: Mailbox["Service"]) =>
  Effect.map(box.list(all, { after: undefined, maxResults: 100 }), ({ items }) => items.map(({ subject }) => subject))

it.live("stores an email that is sent again only once, in its first version", () =>
  Effect.gen(function* () {
    const { box, mailOf } = yield* setUp
    yield* box.store(mailOf(1), "source")
    yield* box.store({ ...mailOf(1), subject: "Again" }, "source")
    yield* Effect.all([box.store(mailOf(2), ""), box.store(mailOf(2), "")], { concurrency: 2 })
    expect(yield* subjects(box)).toEqual(["Mail 2", "Mail 1"])
  }).pipe(Effect.provide(layer))
)

it.live("keeps the newest emails and deletes the oldest", () =>
  Effect.gen(function* () {
    const { box, repo, mailOf } = yield* setUp
    yield* Effect.forEach(Arr.range(1, 6), (n) => box.store(mailOf(n), ""))
    yield* repo.keepNewest(4)
    expect(yield* subjects(box)).toEqual(["Mail 6", "Mail 5", "Mail 4", "Mail 3"])
  }).pipe(Effect.provide(layer))
)

it.live("stores no emails for a deleted realm", () =>
  Effect.gen(function* () {
    const { box, realms, realm, mailOf } = yield* setUp
    yield* Effect.provideService(realms.delete, CurrentRealm, realm)
    yield* box.store(mailOf(1), "")
    expect(yield* subjects(box)).toEqual([])
  }).pipe(Effect.provide(layer))
)

/** A clock on which sleeping never ends. */
class Still extends VirtualClock {
  override sleep(): Effect.Effect<void> {
    return Effect.never
  }
}

it.live("wakes a waiting reader in the same process when an email arrives, without polling", () =>
  Effect.gen(function* () {
    const { box, mailOf } = yield* setUp
    const still = new Still(yield* Clock.Clock, 0)
    const filter = { ...all, to: "u3@example.test" }
    const waiting = yield* box
      .waitFor(filter, { after: undefined, maxResults: 10 }, "30 seconds")
      .pipe(Effect.provideService(Clock.Clock, still), Effect.forkChild)
    yield* Effect.forEach([1, 2, 3], (n) => Effect.delay(box.store(mailOf(n), ""), "50 millis"))
    const { items } = yield* Fiber.join(waiting)
    expect(items.map(({ to }) => to)).toEqual(["u3@example.test"])
  }).pipe(Effect.provide(layer))
)
