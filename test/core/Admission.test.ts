import { Deferred, Duration, Effect, Fiber } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type AdmissionLimits, InTransaction, makeAdmission } from "#platform/Admission"

const limits: AdmissionLimits = { name: "test", concurrency: 4, queueLimit: 8, maxWait: Duration.minutes(10) }

/** An admission whose work ends when the test says so. */
const held = (more: Partial<AdmissionLimits> = {}) => {
  const admission = makeAdmission({ ...limits, ...more })
  const begun: Array<string> = []
  const come = (key: string) => {
    const ended = Deferred.makeUnsafe<void>()
    const work = Effect.andThen(
      Effect.sync(() => void begun.push(key)),
      Deferred.await(ended)
    )
    const fiber = Effect.runFork(Effect.result(admission.run(key, work)))
    const end = () => Effect.runPromise(Effect.asVoid(Deferred.succeed(ended, undefined)))
    const done = async () => {
      await end()
      return Effect.runPromise(Effect.map(Fiber.join(fiber), ({ _tag }) => _tag))
    }
    return { fiber, end, done, outcome: () => Effect.runPromise(Fiber.join(fiber)) }
  }
  return { admission, begun, come, counts: () => [admission.running, admission.waiting] }
}

describe("SEC-110: what is let in, what waits and what is shed", () => {
  test("so much is at work, so much waits, the rest is refused at once and told when to come back", async () => {
    const { come, counts } = held({ queueLimit: 2 })
    const all = Array.from({ length: 8 }, (_, n) => come(String(n)))
    expect(counts()).toEqual([4, 2])
    for (const late of all.slice(6)) {
      expect(await late.outcome()).toMatchObject({ _tag: "Failure", failure: { retryAfterSeconds: 1 } })
    }
    for (const one of all.slice(0, 6)) expect(await one.done()).toBe("Success")
    expect(counts()).toEqual([0, 0])
  })

  test("no key takes everything: alone it has three quarters, at work and waiting", async () => {
    const { come, counts } = held()
    const flood = Array.from({ length: 20 }, () => come("flood"))
    expect(counts()).toEqual([3, 6])
    const other = come("other")
    expect(counts()).toEqual([4, 6])
    expect(await other.done()).toBe("Success")
    const outcomes = await Promise.all(flood.map(({ done }) => done()))
    expect(outcomes.filter((tag) => tag === "Success").length).toBe(9)
  })

  test("who holds a transaction waits for nobody, who may be waiting for its connection; but for turns that depend on nothing", async () => {
    const inside = (more: Partial<AdmissionLimits>) => {
      const { come, admission } = held({ concurrency: 1, queueLimit: 0, ...more })
      const first = come("first")
      const run = Effect.provideService(
        Effect.result(admission.run("second", Effect.succeed("done"))),
        InTransaction,
        true
      )
      return Effect.runPromise(run).then(async ({ _tag }) => [_tag, await first.done()])
    }
    expect(await inside({})).toEqual(["Success", "Success"])
    expect(await inside({ queueInTransaction: true })).toEqual(["Failure", "Success"])
  })

  test("keys that wait have their turns one after the other, each its oldest first", async () => {
    const { come, begun, admission } = held({ concurrency: 1, queueLimit: 100 })
    const first = come("a")
    const waiting = ["a", "a", "a", "b", "c", "c"].map(come)
    await Promise.all([first, ...waiting].map(({ done }) => done()))
    expect(begun).toEqual(["a", "a", "b", "c", "a", "c", "a"])
    expect([admission.running, admission.waiting]).toEqual([0, 0])
  })

  test("who waits too long is refused and has left the queue; who hangs up has left it too", async () => {
    const { come, counts, begun } = held({ concurrency: 1, maxWait: Duration.millis(1) })
    const first = come("a")
    expect(await come("b").outcome()).toMatchObject({ _tag: "Failure", failure: { retryAfterSeconds: 1 } })
    expect(counts()).toEqual([1, 0])
    await Effect.runPromise(Fiber.interrupt(first.fiber))
    expect([counts(), begun]).toEqual([[0, 0], ["a"]])
    const patient = held({ concurrency: 1 })
    const [one, two] = [patient.come("a"), patient.come("b")]
    await Effect.runPromise(Fiber.interrupt(two.fiber))
    expect(patient.counts()).toEqual([1, 0])
    expect(await one.done()).toBe("Success")
  })

  test("one of each key at once, and so many of one waiting", async () => {
    const { come, counts } = held({ concurrency: Number.POSITIVE_INFINITY, concurrencyPerKey: 1, queueLimitPerKey: 2 })
    const [first, ...more] = Array.from({ length: 4 }, () => come("one"))
    const other = come("other")
    expect(counts()).toEqual([2, 2])
    expect(await more[2]?.outcome()).toMatchObject({ _tag: "Failure" })
    for (const one of [first, more[0], more[1], other]) expect(await one?.done()).toBe("Success")
  })

  test("whatever comes and goes, the bounds hold, and nothing is left behind", async () => {
    const step = fc.record({ key: fc.constantFrom("a", "b", "c"), leaves: fc.nat(20), hangsUp: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { come, admission } = held()
        const here: Array<ReturnType<typeof come>> = []
        for (const { key, leaves, hangsUp } of steps) {
          here.push(come(key))
          const [one] = leaves < here.length ? here.splice(leaves, 1) : []
          if (one !== undefined) await (hangsUp ? Effect.runPromise(Fiber.interrupt(one.fiber)) : one.end())
          expect(admission.running).toBeLessThanOrEqual(4)
          expect(admission.waiting).toBeLessThanOrEqual(8)
        }
        for (const one of here) await Effect.runPromise(Fiber.interrupt(one.fiber))
        expect([admission.running, admission.waiting]).toEqual([0, 0])
      }),
      { numRuns: 50 }
    )
  })
})
