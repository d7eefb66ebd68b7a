import { expect, layer } from "@effect/vitest"
import { Arbitrary, Data, Deferred, Effect, Exit, Fiber, Schema } from "effect"
import { HashingBusy } from "#domain/Password"
import { checkImportedHash, isCurrentHash } from "#domain/PasswordHash"
import { matching, Natural } from "../support/arbitraries.ts"
import { defectOf } from "../support/defects.ts"
import { makePasswords as make, OneRealm, turn } from "../support/hashing.ts"

layer(OneRealm, { excludeTestServices: true })("hashing", (it) => {
  it.effect("SEC-16: produces an argon2id PHC string with 19 MiB, 2 passes, 1 lane and a unique salt", () =>
    Effect.gen(function* () {
      const passwords = yield* make()
      const hashes = yield* Effect.all([passwords.hash("correct horse"), passwords.hash("correct horse")], {
        concurrency: 2
      })
      for (const hash of hashes) {
        expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
        expect(isCurrentHash(hash)).toBe(true)
        expect(yield* passwords.verify(hash, "correct horse")).toBe(true)
      }
      expect(hashes[0]).not.toBe(hashes[1])
    })
  )

  it.effect("SEC-03: rejects a single changed character, even after the 72nd character", () =>
    Effect.gen(function* () {
      const passwords = yield* make()
      const hash = yield* passwords.hash(`${"x".repeat(72)}a`)
      for (const other of [`${"x".repeat(72)}b`, "x".repeat(72), ` ${"x".repeat(72)}a`, `${"x".repeat(72)}A`]) {
        expect(yield* passwords.verify(hash, other)).toBe(false)
      }
      expect(yield* passwords.verify(hash, `${"x".repeat(72)}a`)).toBe(true)
    })
  )

  const Mistyped = Schema.Struct({ text: matching(/^[^\0]{8,40}$/u), at: Natural, other: matching(/^[ -~]$/) })
  const mistyped = Arbitrary.schema(Mistyped).pipe(
    Arbitrary.map(({ text, at, other }) => {
      const characters = Array.from(text)
      return { text, mutated: characters.with(at % characters.length, other).join("") }
    }),
    Arbitrary.filter(({ text, mutated }) => mutated.normalize("NFKC") !== text.normalize("NFKC"))
  )

  it.effect.prop(
    "SEC-03: verifies a hashed password, but not with a character changed",
    [mistyped],
    ([{ text, mutated }]) =>
      Effect.gen(function* () {
        const passwords = yield* make()
        const hash = yield* passwords.hash(text)
        expect(yield* passwords.verify(hash, text)).toBe(true)
        expect(yield* passwords.verify(hash, mutated)).toBe(false)
      }),
    { arbitrary: { runs: 10, size: 40 } }
  )

  it.effect("SEC-03: verifies a password typed on another keyboard (NFKC on both sides)", () =>
    Effect.gen(function* () {
      const passwords = yield* make()
      const composed = yield* passwords.hash("contrase\u00f1a ﬁ")
      const decomposed = yield* passwords.hash("contrasen\u0303a fi")
      expect(yield* passwords.verify(composed, "contrasen\u0303a fi")).toBe(true)
      expect(yield* passwords.verify(decomposed, "contrase\u00f1a ﬁ")).toBe(true)
    })
  )

  it.effect("SEC-04: rejects a 1 MB password before hashing", () =>
    Effect.gen(function* () {
      const passwords = yield* make()
      const hash = yield* passwords.hash("correct horse")
      expect(passwords.hashCount).toBe(1)
      for (const password of ["x".repeat(10_240), "x".repeat(1_048_576), "x".repeat(513), "", "a\0b"]) {
        expect(yield* passwords.verify(hash, password)).toBe(false)
        expect(yield* defectOf(passwords.hash(password))).toMatchObject({
          message: expect.stringContaining("not checked")
        })
      }
      expect(passwords.hashCount).toBe(1)
    })
  )

  it.effect("SEC-16: computes every imported hash that is accepted", () =>
    Effect.gen(function* () {
      const passwords = yield* make()
      const salts = ["A".repeat(11), "A".repeat(22), "A".repeat(64)]
      const digests = ["A".repeat(22), "A".repeat(43), "A".repeat(86)]
      const heads = ["argon2id$v=19", "argon2i$v=16", "argon2d$v=19", "argon2i"].flatMap((type) =>
        ["m=8,t=1,p=1", "m=64,t=10,p=8"].map((parameters) => `$${type}$${parameters}`)
      )
      for (const head of heads) {
        for (const salt of salts) {
          for (const digest of digests) {
            const phc = `${head}$${salt}$${digest}`
            expect(checkImportedHash(phc)).toBeUndefined()
            expect(yield* passwords.verify(phc, "correct horse")).toBe(false)
          }
        }
      }
    })
  )
})

layer(OneRealm, { excludeTestServices: true })("the hashing slots", (it) => {
  it.effect("SEC-05: limit the running hashes, bound the queue and reject the rest with a retry time", () =>
    Effect.gen(function* () {
      const passwords = yield* make({ slots: 2, queue: 3 })
      const fibers = yield* Effect.forEach(Array.from({ length: 9 }), () =>
        Effect.forkChild(passwords.hash("correct horse"), { startImmediately: true })
      )
      // The last of the five places is reserved for other realms.
      expect([passwords.inFlight, passwords.waiting]).toEqual([2, 2])
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      expect(exits.map(Exit.isSuccess)).toEqual([true, true, true, true, false, false, false, false, false])
      expect(exits[8]).toEqual(Exit.fail(new HashingBusy({ retryAfterSeconds: 1 })))
      expect([passwords.hashCount, passwords.inFlight, passwords.waiting]).toEqual([4, 0, 0])
    })
  )

  it.effect("SEC-05: are freed by an interrupted caller only when the native work has ended", () =>
    Effect.gen(function* () {
      const passwords = yield* make({ slots: 1, queue: 1 })
      const running = yield* Effect.forkChild(passwords.hash("correct horse"), { startImmediately: true })
      const queued = yield* Effect.forkChild(passwords.hash("correct horse"), { startImmediately: true })
      const leaving = yield* Effect.forkChild(Fiber.interrupt(running), { startImmediately: true })
      yield* turn
      expect([passwords.inFlight, passwords.waiting, passwords.hashCount]).toEqual([1, 1, 1])
      yield* Fiber.await(leaving)
      yield* Fiber.join(queued)
      expect([passwords.inFlight, passwords.waiting, passwords.hashCount]).toEqual([0, 0, 2])
    })
  )

  it.effect("SEC-05: are not used by a caller that leaves the queue", () =>
    Effect.gen(function* () {
      const passwords = yield* make({ slots: 1, queue: 1 })
      const running = yield* Effect.forkChild(passwords.hash("correct horse"), { startImmediately: true })
      const queued = yield* Effect.forkChild(passwords.hash("correct horse"), { startImmediately: true })
      yield* Fiber.interrupt(queued)
      expect([passwords.inFlight, passwords.waiting]).toEqual([1, 0])
      yield* Fiber.join(running)
      expect(passwords.hashCount).toBe(1)
    })
  )

  it.effect("are freed when an unreadable hash causes a defect", () =>
    Effect.gen(function* () {
      const passwords = yield* make({ slots: 1, queue: 0 })
      expect(yield* defectOf(passwords.verify("no hash", "correct horse"))).toBeInstanceOf(Error)
      expect([passwords.inFlight, passwords.waiting]).toEqual([0, 0])
      expect(yield* passwords.hash("correct horse")).toMatch(/^\$argon2id/)
    })
  )
})

layer(OneRealm, { excludeTestServices: true })("a place in the queue", (it) => {
  class Refused extends Data.TaggedError("Refused") {}

  it.effect("SEC-05: is denied immediately when the queue is full, without running `use`", () =>
    Effect.gen(function* () {
      const passwords = yield* make({ slots: 1, queue: 1 })
      const door = yield* Deferred.make<void>()
      const holders = yield* Effect.forEach([1, 2], () =>
        Effect.forkChild(
          passwords.withHashing(() => Deferred.await(door)),
          { startImmediately: true }
        )
      )
      expect([passwords.inFlight, passwords.waiting]).toEqual([0, 2])
      const busy = Exit.fail(new HashingBusy({ retryAfterSeconds: 1 }))
      expect(yield* Effect.exit(passwords.withHashing(() => Effect.die("not to be run")))).toEqual(busy)
      expect(yield* Effect.exit(passwords.hash("correct horse"))).toEqual(busy)
      expect(yield* Effect.exit(passwords.verify("no hash", "correct horse"))).toEqual(busy)
      yield* Deferred.succeed(door, undefined)
      yield* Effect.forEach(holders, Fiber.join)
      expect([passwords.hashCount, passwords.waiting]).toEqual([0, 0])
    })
  )

  it.effect("SEC-05: lets a login verify and rehash while the queue is full", () =>
    Effect.gen(function* () {
      const passwords = yield* make({ slots: 2, queue: 2 })
      const old = yield* passwords.hash("correct horse")
      const login = passwords.withHashing((hashing) =>
        Effect.gen(function* () {
          yield* turn
          const right = yield* hashing.verify(old, "correct horse")
          yield* turn
          return right && isCurrentHash(yield* hashing.hash("correct horse"))
        })
      )
      const fibers = yield* Effect.forEach(Array.from({ length: 6 }), () =>
        Effect.forkChild(login, { startImmediately: true })
      )
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      expect(exits.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => Exit.succeed(true)))
      expect(exits.slice(3).every(Exit.isFailure)).toBe(true)
      expect([passwords.hashCount, passwords.inFlight, passwords.waiting]).toEqual([7, 0, 0])
    })
  )

  it.effect("SEC-05: is freed after a failure, a defect and an interruption", () =>
    Effect.gen(function* () {
      const passwords = yield* make({ slots: 1, queue: 0 })
      expect(yield* Effect.exit(passwords.withHashing(() => Effect.fail(new Refused())))).toEqual(
        Exit.fail(new Refused())
      )
      expect(Exit.isFailure(yield* Effect.exit(passwords.withHashing(() => Effect.die("a defect"))))).toBe(true)
      expect(Exit.isFailure(yield* Effect.exit(passwords.withHashing((hashing) => hashing.hash(""))))).toBe(true)
      const holder = yield* Effect.forkChild(
        passwords.withHashing(() => Effect.never),
        { startImmediately: true }
      )
      expect(passwords.waiting).toBe(1)
      yield* Fiber.interrupt(holder)
      expect([passwords.inFlight, passwords.waiting]).toEqual([0, 0])
      expect(yield* passwords.withHashing(() => Effect.succeed("in"))).toBe("in")
    })
  )

  it.effect("SEC-05: stays taken after an interruption until the native hashing has ended", () =>
    Effect.gen(function* () {
      const passwords = yield* make({ slots: 1, queue: 0 })
      const holder = yield* Effect.forkChild(
        passwords.withHashing((hashing) => hashing.hash("correct horse")),
        { startImmediately: true }
      )
      const leaving = yield* Effect.forkChild(Fiber.interrupt(holder), { startImmediately: true })
      yield* turn
      expect(Exit.isFailure(yield* Effect.exit(passwords.hash("correct horse")))).toBe(true)
      yield* Fiber.await(leaving)
      expect([passwords.hashCount, passwords.inFlight, passwords.waiting]).toEqual([1, 0, 0])
    })
  )

  it.effect("SEC-14: checks a user without a hash at the cost of a wrong password", () =>
    Effect.gen(function* () {
      const passwords = yield* make()
      const hash = yield* passwords.hash("correct horse")
      for (const password of ["wrong horse", "contrasen\u0303a", "x".repeat(512), "x".repeat(513), ""]) {
        const before = passwords.hashCount
        expect(yield* passwords.verify(hash, password)).toBe(false)
        const between = passwords.hashCount
        expect(yield* passwords.withHashing((hashing) => hashing.verifyDummy(password))).toBe(false)
        expect([password, passwords.hashCount - between]).toEqual([password, between - before])
      }
    })
  )

  it.effect("SEC-14: computes one hash for a user without a hash", () =>
    Effect.gen(function* () {
      const passwords = yield* make()
      expect(yield* passwords.withHashing((hashing) => hashing.verifyDummy("correct horse"))).toBe(false)
      expect([passwords.hashCount, passwords.inFlight, passwords.waiting]).toEqual([1, 0, 0])
    })
  )
})
