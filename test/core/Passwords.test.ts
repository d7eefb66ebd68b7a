import { Data, Deferred, Effect, Exit, Fiber } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { HashingBusy } from "#domain/Password"
import { checkImportedHash, isCurrentHash } from "#domain/PasswordHash"
import { makePasswords as make, runIn } from "../support/hashing.ts"

const run = runIn("rlm_a")
const pause = Effect.promise(() => new Promise<void>((resume) => setImmediate(resume)))

describe("hashing", () => {
  test("SEC-16: a hash is an argon2id PHC string of 19 MiB, 2 passes, 1 lane, with a salt of its own", async () => {
    const passwords = await make()
    const hashes = await Promise.all([run(passwords.hash("correct horse")), run(passwords.hash("correct horse"))])
    for (const hash of hashes) {
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
      expect(isCurrentHash(hash)).toBe(true)
      expect(await run(passwords.verify(hash, "correct horse"))).toBe(true)
    }
    expect(hashes[0]).not.toBe(hashes[1])
  })

  test("SEC-03: one changed character fails, also far behind", async () => {
    const passwords = await make()
    const hash = await run(passwords.hash(`${"x".repeat(72)}a`))
    for (const other of [`${"x".repeat(72)}b`, "x".repeat(72), ` ${"x".repeat(72)}a`, `${"x".repeat(72)}A`]) {
      expect(await run(passwords.verify(hash, other))).toBe(false)
    }
    expect(await run(passwords.verify(hash, `${"x".repeat(72)}a`))).toBe(true)
  })

  test("SEC-03: what was hashed verifies, and a mutation of one character does not", async () => {
    const passwords = await make()
    const password = fc.string({ unit: "grapheme", minLength: 8, maxLength: 40 }).filter((text) => !text.includes("\0"))
    await fc.assert(
      fc.asyncProperty(
        password,
        fc.nat(),
        fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }),
        async (text, at, other) => {
          const characters = Array.from(text)
          const mutated = characters.with(at % characters.length, other).join("")
          fc.pre(mutated.normalize("NFKC") !== text.normalize("NFKC"))
          const hash = await run(passwords.hash(text))
          expect(await run(passwords.verify(hash, text))).toBe(true)
          expect(await run(passwords.verify(hash, mutated))).toBe(false)
        }
      ),
      { numRuns: 10 }
    )
  })

  test("SEC-03: the same password typed on another keyboard verifies (NFKC on both sides)", async () => {
    const passwords = await make()
    const composed = await run(passwords.hash("contrase\u00f1a ﬁ"))
    const decomposed = await run(passwords.hash("contrasen\u0303a fi"))
    expect(await run(passwords.verify(composed, "contrasen\u0303a fi"))).toBe(true)
    expect(await run(passwords.verify(decomposed, "contrase\u00f1a ﬁ"))).toBe(true)
  })

  test("SEC-04: a 1 MB password is refused before hashing", async () => {
    const passwords = await make()
    const hash = await run(passwords.hash("correct horse"))
    expect(passwords.hashCount).toBe(1)
    for (const password of ["x".repeat(10_240), "x".repeat(1_048_576), "x".repeat(513), "", "a\0b"]) {
      expect(await run(passwords.verify(hash, password))).toBe(false)
      await expect(run(passwords.hash(password))).rejects.toThrow("not checked")
    }
    expect(passwords.hashCount).toBe(1)
  })

  test("SEC-16: every imported hash that is let in can be computed", async () => {
    const passwords = await make()
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
          expect(await run(passwords.verify(phc, "correct horse"))).toBe(false)
        }
      }
    }
  })
})

describe("slots", () => {
  test("SEC-05: no more hashes at once than slots, the queue is bounded, and the rest is told to come back", async () => {
    const passwords = await make({ slots: 2, queue: 3 })
    const exits = await run(
      Effect.gen(function* () {
        const fibers = yield* Effect.forEach(Array.from({ length: 9 }), () =>
          Effect.forkChild(passwords.hash("correct horse"), { startImmediately: true })
        )
        // The last of the five places is another realm's.
        expect([passwords.inFlight, passwords.waiting]).toEqual([2, 2])
        return yield* Effect.forEach(fibers, Fiber.await)
      })
    )
    expect(exits.map(Exit.isSuccess)).toEqual([true, true, true, true, false, false, false, false, false])
    expect(exits[8]).toEqual(Exit.fail(new HashingBusy({ retryAfterSeconds: 1 })))
    expect([passwords.hashCount, passwords.inFlight, passwords.waiting]).toEqual([4, 0, 0])
  })

  test("SEC-05: an interrupted caller frees its slot only when the native work has ended", async () => {
    const passwords = await make({ slots: 1, queue: 1 })
    await run(
      Effect.gen(function* () {
        const running = yield* Effect.forkChild(passwords.hash("correct horse"), { startImmediately: true })
        const queued = yield* Effect.forkChild(passwords.hash("correct horse"), { startImmediately: true })
        const leaving = yield* Effect.forkChild(Fiber.interrupt(running), { startImmediately: true })
        yield* pause
        expect([passwords.inFlight, passwords.waiting, passwords.hashCount]).toEqual([1, 1, 1])
        yield* Fiber.await(leaving)
        yield* Fiber.join(queued)
        expect([passwords.inFlight, passwords.waiting, passwords.hashCount]).toEqual([0, 0, 2])
      })
    )
  })

  test("SEC-05: a caller that leaves the queue gives its place back, unhashed", async () => {
    const passwords = await make({ slots: 1, queue: 1 })
    await run(
      Effect.gen(function* () {
        const running = yield* Effect.forkChild(passwords.hash("correct horse"), { startImmediately: true })
        const queued = yield* Effect.forkChild(passwords.hash("correct horse"), { startImmediately: true })
        yield* Fiber.interrupt(queued)
        expect([passwords.inFlight, passwords.waiting]).toEqual([1, 0])
        yield* Fiber.join(running)
        expect(passwords.hashCount).toBe(1)
      })
    )
  })

  test("a hash that cannot be read kills the request and leaves the slot free", async () => {
    const passwords = await make({ slots: 1, queue: 0 })
    await expect(run(passwords.verify("no hash", "correct horse"))).rejects.toThrow()
    expect([passwords.inFlight, passwords.waiting]).toEqual([0, 0])
    expect(await run(passwords.hash("correct horse"))).toMatch(/^\$argon2id/)
  })
})

describe("a place in the queue", () => {
  class Refused extends Data.TaggedError("Refused") {}

  test("SEC-05: is refused at once when the queue is full, and `use` does not begin", async () => {
    const passwords = await make({ slots: 1, queue: 1 })
    await run(
      Effect.gen(function* () {
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
  })

  test("SEC-05: who has one is never refused: a login verifies, and renews the hash, in a full queue", async () => {
    const passwords = await make({ slots: 2, queue: 2 })
    const old = await run(passwords.hash("correct horse"))
    const login = passwords.withHashing((hashing) =>
      Effect.gen(function* () {
        yield* pause
        const right = yield* hashing.verify(old, "correct horse")
        yield* pause
        return right && isCurrentHash(yield* hashing.hash("correct horse"))
      })
    )
    const exits = await run(
      Effect.gen(function* () {
        const fibers = yield* Effect.forEach(Array.from({ length: 6 }), () =>
          Effect.forkChild(login, { startImmediately: true })
        )
        return yield* Effect.forEach(fibers, Fiber.await)
      })
    )
    expect(exits.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => Exit.succeed(true)))
    expect(exits.slice(3).every(Exit.isFailure)).toBe(true)
    expect([passwords.hashCount, passwords.inFlight, passwords.waiting]).toEqual([7, 0, 0])
  })

  test("SEC-05: is free again after a failure, a defect and an interruption", async () => {
    const passwords = await make({ slots: 1, queue: 0 })
    await run(
      Effect.gen(function* () {
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
  })

  test("SEC-05: a holder that is interrupted while it hashes keeps its place until the native work has ended", async () => {
    const passwords = await make({ slots: 1, queue: 0 })
    await run(
      Effect.gen(function* () {
        const holder = yield* Effect.forkChild(
          passwords.withHashing((hashing) => hashing.hash("correct horse")),
          { startImmediately: true }
        )
        const leaving = yield* Effect.forkChild(Fiber.interrupt(holder), { startImmediately: true })
        yield* pause
        expect(Exit.isFailure(yield* Effect.exit(passwords.hash("correct horse")))).toBe(true)
        yield* Fiber.await(leaving)
        expect([passwords.hashCount, passwords.inFlight, passwords.waiting]).toEqual([1, 0, 0])
      })
    )
  })

  test("SEC-14: for a user who has no hash the same is computed as for a wrong password", async () => {
    const passwords = await make()
    const hash = await run(passwords.hash("correct horse"))
    for (const password of ["wrong horse", "contrasen\u0303a", "x".repeat(512), "x".repeat(513), ""]) {
      const before = passwords.hashCount
      expect(await run(passwords.verify(hash, password))).toBe(false)
      const between = passwords.hashCount
      expect(await run(passwords.withHashing((hashing) => hashing.verifyDummy(password)))).toBe(false)
      expect([password, passwords.hashCount - between]).toEqual([password, between - before])
    }
  })

  test("SEC-14: that is one hash", async () => {
    const passwords = await make()
    expect(await run(passwords.withHashing((hashing) => hashing.verifyDummy("correct horse")))).toBe(false)
    expect([passwords.hashCount, passwords.inFlight, passwords.waiting]).toEqual([1, 0, 0])
  })
})
