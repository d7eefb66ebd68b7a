import { expect, it } from "@effect/vitest"
import { Arbitrary, DateTime } from "effect"
import { decideRefresh } from "#domain/oauth/RefreshRotation"
import { integer } from "../support/arbitraries.ts"

const at = (seconds: number) => DateTime.makeUnsafe(1_800_000_000_000 + seconds * 1_000)
const moment = Arbitrary.schema(integer(0, 200))

it.prop("an unused token rotates until it expires, with any salt", [moment, moment], ([expires, now]) => {
  const { _tag } = decideRefresh({ usedAt: null, salt: null, expiresAt: at(expires) }, at(now))
  expect(_tag).toBe(now < expires ? "rotate" : "expired")
})

it.prop(
  "a used token returns the same successor for 30 seconds, and counts as stolen afterward",
  [moment, moment, moment],
  ([used, later, expires]) => {
    const decision = decideRefresh({ usedAt: at(used), salt: "salt", expiresAt: at(expires) }, at(used + later))
    expect(decision).toEqual(later <= 30 ? { _tag: "repeat", salt: "salt" } : { _tag: "reused" })
  }
)

it.prop("a used token without a salt never returns its successor", [moment, moment], ([used, later]) => {
  const decision = decideRefresh({ usedAt: at(used), salt: null, expiresAt: at(1_000) }, at(used + later))
  expect(decision).toEqual({ _tag: "reused" })
})
