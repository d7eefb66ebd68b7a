import { Clock, Effect, Layer } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  earliestId,
  encodeId,
  type IdBits,
  isId,
  type Kind,
  kindOf,
  nextBits,
  prefixes,
  type UserId
} from "#domain/Ids"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"

const kinds = Object.keys(prefixes).filter((name): name is Kind => name in prefixes)
const aKind = fc.constantFrom(...kinds)
const millis = fc.integer({ min: 0, max: 2 ** 48 - 1 })
const half = fc.integer({ min: 0, max: 2 ** 40 - 1 })
const someBits: fc.Arbitrary<IdBits> = fc.record({ millis, random: fc.tuple(half, half) })
const tenBytes = fc.uint8Array({ minLength: 10, maxLength: 10 })

const number = ({ millis, random: [high, low] }: IdBits) =>
  (BigInt(millis) << 80n) | (BigInt(high) << 40n) | BigInt(low)

describe("the form of an id", () => {
  test("is the prefix of its kind and 26 characters, and tells its kind", () => {
    fc.assert(
      fc.property(aKind, someBits, (kind, bits) => {
        const id = encodeId(kind, bits)
        expect(id).toMatch(/^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
        expect(kindOf(id)).toBe(kind)
        expect(kinds.filter((other) => isId(other, id))).toEqual([kind])
      })
    )
  })

  test("holds the 128 bits, most significant first", () => {
    const decode = (id: string) =>
      Array.from(id.slice(-26)).reduce((n, c) => n * 32n + BigInt("0123456789abcdefghjkmnpqrstvwxyz".indexOf(c)), 0n)
    fc.assert(
      fc.property(someBits, (bits) => {
        expect(decode(encodeId("user", bits))).toBe(number(bits))
      })
    )
  })

  test("SEC-42: a shortened, lengthened or foreign text is no id", () => {
    const id = encodeId("user", { millis: 1_700_000_000_000, random: [1, 2] })
    for (let length = 0; length < id.length; length++) expect(kindOf(id.slice(0, length))).toBeUndefined()
    const others = [`${id}0`, `${id}\n`, ` ${id}`, id.toUpperCase(), id.replace("usr_", "urs_"), id.replace("_0", "_8")]
    for (const text of [...others, "", "_", "usr_", `usr_${"u".repeat(26)}`, "__proto__"]) {
      expect(kindOf(text)).toBeUndefined()
      expect(isId("user", text)).toBe(false)
    }
  })

  test("no prefix begins another", () => {
    const all: ReadonlyArray<string> = Object.values(prefixes)
    expect(all.filter((a) => all.some((b) => a !== b && b.startsWith(a)))).toEqual([])
    expect(new Set(all).size).toBe(all.length)
  })

  test("a time no id can hold is refused", () => {
    for (const millis of [-1, 2 ** 48, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => encodeId("user", { millis, random: [0, 0] })).toThrow(RangeError)
    }
  })
})

describe("the order of ids", () => {
  test("is the order of their bits, byte by byte", () => {
    fc.assert(
      fc.property(someBits, someBits, (a, b) => {
        const order = Buffer.compare(Buffer.from(encodeId("org", a)), Buffer.from(encodeId("org", b)))
        expect(order).toBe(number(a) < number(b) ? -1 : number(a) > number(b) ? 1 : 0)
      })
    )
  })

  test("RG-10: ids stay monotonic when the clock goes back", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(millis, tenBytes), { minLength: 2 }), (draws) => {
        let last: IdBits | undefined
        for (const [now, bytes] of draws) {
          const fresh = nextBits(last, now, bytes)
          if (last !== undefined) expect(number(fresh)).toBeGreaterThan(number(last))
          expect(fresh.millis).toBeGreaterThanOrEqual(now)
          last = fresh
        }
      })
    )
  })

  test("within a millisecond the next id is the previous one plus one, with carry", () => {
    const top = 2 ** 40 - 1
    const bytes = new Uint8Array(10)
    for (const random of [
      [7, 7],
      [7, top],
      [top, top]
    ] as const) {
      const bits = { millis: 5, random }
      expect(number(nextBits(bits, 5, bytes))).toBe(number(bits) + 1n)
      expect(number(nextBits(bits, 4, bytes))).toBe(number(bits) + 1n)
    }
    expect(nextBits({ millis: 5, random: [top, top] }, 5, bytes)).toEqual({ millis: 6, random: [0, 0] })
  })

  test("the earliest id of a time is not above any id of that time and above every earlier one", () => {
    fc.assert(
      fc.property(someBits, (bits) => {
        const id = encodeId("event", bits)
        expect(earliestId("event", bits.millis) <= id).toBe(true)
        if (bits.millis < 2 ** 48 - 1) expect(earliestId("event", bits.millis + 1) > id).toBe(true)
      })
    )
    expect(earliestId("event", -5)).toBe(earliestId("event", 0))
    expect(isId("event", earliestId("event", Number.MAX_VALUE))).toBe(true)
    // A time_t of three decimals, in milliseconds.
    expect(earliestId("event", 1_700_000_000.123 * 1000)).toBe(earliestId("event", 1_700_000_000_123))
  })
})

describe("fresh ids", () => {
  const run = <A>(program: Effect.Effect<A, never, IdGenerator>) =>
    Effect.runPromise(program.pipe(Effect.provide(IdGenerator.layer.pipe(Layer.provide(Entropy.layer)))))

  test("RG-10: a clock that jumps 2 days ahead and back again reorders nothing", async () => {
    const day = 86_400_000
    const start = 1_700_000_000_000
    const made = await run(
      Effect.gen(function* () {
        const ids = yield* IdGenerator
        const clock = yield* Clock.Clock
        return yield* Effect.forEach([0, 1, 2 * day, 2, 2, 3_600_000, 0, 2 * day + 1], (offset) =>
          ids.make("session").pipe(
            Effect.provideService(Clock.Clock, {
              currentTimeMillis: Effect.succeed(start + offset),
              currentTimeMillisUnsafe: () => start + offset,
              currentTimeNanos: clock.currentTimeNanos,
              currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
              monotonicTimeNanos: clock.monotonicTimeNanos,
              monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
              sleep: (duration) => clock.sleep(duration)
            })
          )
        )
      })
    )
    expect(made).toEqual(made.toSorted())
    expect(new Set(made).size).toBe(made.length)
  })

  test("SEC-28: ids are unique over many draws, and typed by their kind", async () => {
    const made = await run(
      Effect.gen(function* () {
        const ids = yield* IdGenerator
        const users: Array<UserId> = []
        for (let i = 0; i < 20_000; i++) users.push(yield* ids.make("user"))
        return users
      })
    )
    expect(new Set(made).size).toBe(20_000)
    expect(made.every((id, i) => i === 0 || id > (made[i - 1] ?? ""))).toBe(true)
  })
})
