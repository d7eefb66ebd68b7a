import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import {
  earliestId,
  encodeId,
  type IdBits,
  isGeneratedId,
  isId,
  type Kind,
  kindOf,
  nextBits,
  prefixes,
  type UserId
} from "#domain/Ids"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { integer } from "../support/arbitraries.ts"

const kinds = Object.keys(prefixes).filter((name): name is Kind => name in prefixes)
const SomeKind = Schema.Literals(kinds)
const Millis = integer(0, 2 ** 48 - 1)
const Half = integer(0, 2 ** 40 - 1)
const SomeBits: Schema.Schema<IdBits> = Schema.Struct({ millis: Millis, random: Schema.Tuple([Half, Half]) })
const Draw = Schema.Struct({ now: Millis, bytes: Schema.Uint8Array.check(Schema.isBetweenLength(10, 10)) })

const number = ({ millis, random: [high, low] }: IdBits) =>
  (BigInt(millis) << 80n) | (BigInt(high) << 40n) | BigInt(low)

describe("the form of an id", () => {
  it.prop(
    "has the prefix of its kind and 26 characters, and identifies its kind",
    [SomeKind, SomeBits],
    ([kind, bits]) => {
      const id = encodeId(kind, bits)
      expect(id).toMatch(/^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
      expect(kindOf(id)).toBe(kind)
      expect(kinds.filter((other) => isId(other, id))).toEqual([kind])
    }
  )

  it.prop("encodes the 128 bits, most significant first", [SomeBits], ([bits]) => {
    const decode = (id: string) =>
      Array.from(id.slice(-26)).reduce((n, c) => n * 32n + BigInt("0123456789abcdefghjkmnpqrstvwxyz".indexOf(c)), 0n)
    expect(decode(encodeId("user", bits))).toBe(number(bits))
  })

  it("SEC-42: rejects a shortened, lengthened or foreign text", () => {
    const id = encodeId("session", { millis: 1_700_000_000_000, random: [1, 2] })
    for (let length = 0; length < id.length; length++) expect(kindOf(id.slice(0, length))).toBeUndefined()
    const others = [`${id}0`, `${id}\n`, ` ${id}`, id.toUpperCase(), id.replace("kss_", "sks_"), id.replace("_0", "_8")]
    for (const text of [...others, "", "_", "kss_", `kss_${"u".repeat(26)}`, "__proto__"]) {
      expect(kindOf(text)).toBeUndefined()
      expect(isId("session", text)).toBe(false)
    }
  })

  it("accepts IDs of users and orgs kept from another service, which are not generated IDs", () => {
    for (const kind of ["user", "org"] as const) {
      const prefix = prefixes[kind]
      for (const kept of ["7", "Az09", "550e8400-e29b-41d4-a716-446655440000", "x".repeat(60)]) {
        expect([isId(kind, prefix + kept), isGeneratedId(kind, prefix + kept)]).toEqual([true, false])
        expect(kindOf(prefix + kept)).toBe(kind)
      }
      for (const text of ["", "a_b", "a.b", "a b", "ä", "a\n", "x".repeat(61)]) {
        expect(isId(kind, prefix + text)).toBe(false)
      }
    }
  })

  it("has no prefix that is the start of another prefix", () => {
    const all: ReadonlyArray<string> = Object.values(prefixes)
    expect(all.filter((a) => all.some((b) => a !== b && b.startsWith(a)))).toEqual([])
    expect(new Set(all).size).toBe(all.length)
  })

  it("throws for a time out of range", () => {
    for (const millis of [-1, 2 ** 48, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => encodeId("user", { millis, random: [0, 0] })).toThrow(RangeError)
    }
  })
})

describe("the order of ids", () => {
  it.prop("is the order of the bits", [SomeBits, SomeBits], ([a, b]) => {
    const order = Buffer.compare(Buffer.from(encodeId("org", a)), Buffer.from(encodeId("org", b)))
    expect(order).toBe(number(a) < number(b) ? -1 : number(a) > number(b) ? 1 : 0)
  })

  it.prop(
    "RG-10: stays monotonic when the clock goes back",
    [Schema.Array(Draw).check(Schema.isMinLength(2))],
    ([draws]) => {
      let last: IdBits | undefined
      for (const { now, bytes } of draws) {
        const fresh = nextBits(last, now, bytes)
        if (last !== undefined) expect(number(fresh)).toBeGreaterThan(number(last))
        expect(fresh.millis).toBeGreaterThanOrEqual(now)
        last = fresh
      }
    }
  )

  it("increments the previous id by one within a millisecond, with carry", () => {
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

  it.prop("puts the earliest id of a time before all other ids of that time", [SomeBits], ([bits]) => {
    const id = encodeId("event", bits)
    expect(earliestId("event", bits.millis) <= id).toBe(true)
    if (bits.millis < 2 ** 48 - 1) expect(earliestId("event", bits.millis + 1) > id).toBe(true)
  })

  it("has an earliest id for every number, even negative, fractional or too large", () => {
    expect(earliestId("event", -5)).toBe(earliestId("event", 0))
    expect(isId("event", earliestId("event", Number.MAX_VALUE))).toBe(true)
    // A time_t with three decimals, in milliseconds.
    expect(earliestId("event", 1_700_000_000.123 * 1000)).toBe(earliestId("event", 1_700_000_000_123))
  })
})

layer(IdGenerator.layer.pipe(Layer.provide(Entropy.layer)))("new ids", (it) => {
  it.effect("RG-10: keep their order when the clock jumps 2 days ahead and back", () =>
    Effect.gen(function* () {
      const day = 86_400_000
      const start = 1_700_000_000_000
      const ids = yield* IdGenerator
      const made = yield* Effect.forEach([0, 1, 2 * day, 2, 2, 3_600_000, 0, 2 * day + 1], (offset) =>
        Effect.andThen(TestClock.setTime(start + offset), ids.make("session"))
      )
      expect(made).toEqual(made.toSorted())
      expect(new Set(made).size).toBe(made.length)
    })
  )

  it.effect("SEC-28: are unique over many draws and have the prefix of their kind", () =>
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const made: Array<UserId> = []
      for (let i = 0; i < 20_000; i++) made.push(yield* ids.make("user"))
      expect(new Set(made).size).toBe(20_000)
      expect(made.every((id, i) => i === 0 || id > (made[i - 1] ?? ""))).toBe(true)
    })
  )
})
