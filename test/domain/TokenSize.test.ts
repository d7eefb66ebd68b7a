import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { fittingClaims, payloadBytes, truncatedParts } from "#domain/TokenSize"

const text = fc.string({ unit: "binary", maxLength: 40 })

const custom = fc.dictionary(text, text, { maxKeys: 5 })

const org = fc.record({
  mid: text,
  oid: text,
  perm: fc.array(text, { maxLength: 3 }),
  selected: fc.boolean(),
  name: text,
  ref: text,
  cs: custom
})

const claims = fc.record({ sub: text, email: text, cs: custom, orgs: fc.array(org, { maxLength: 30 }) })

const most = fc.integer({ min: 200, max: 6_000 })

describe("SEC-259, C277: the claims of a token near the size limit", () => {
  test("are unchanged if they fit", () => {
    fc.assert(
      fc.property(claims, (given) => {
        expect(fittingClaims(given, payloadBytes(given))).toBe(given)
      })
    )
  })

  test("fit, or contain only claims that can't be omitted", () => {
    fc.assert(
      fc.property(claims, most, (given, bytes) => {
        const fitting = fittingClaims(given, bytes)
        const isBare = fitting["cs"] === undefined && Object(fitting["orgs"]).length === 0
        expect(payloadBytes(fitting) <= bytes || isBare).toBe(true)
      })
    )
  })

  test("lose parts in the documented order, and are otherwise unchanged", () => {
    fc.assert(
      fc.property(claims, most, (given, bytes) => {
        const { "ar.truncated": truncated = [], orgs, cs, ...others } = fittingClaims(given, bytes)
        const { orgs: allOrgs, cs: ownCustom, ...same } = given
        const parts: ReadonlyArray<unknown> = Object(truncated)
        expect(others).toEqual(same)
        expect(parts).toEqual(truncatedParts.filter((part) => parts.includes(part)))
        expect(cs).toEqual(parts.includes("custom") ? undefined : ownCustom)
        const kept: ReadonlyArray<object> = Object(orgs)
        expect(kept.length < allOrgs.length).toBe(parts.includes("orgs"))
        for (const [index, each] of kept.entries()) {
          const { mid, oid, perm, selected, name, ref, cs: orgCustom } = allOrgs[index] ?? Object()
          const names = parts.includes("orgs.names") ? {} : { name, ref }
          const customs = parts.includes("orgs.custom") ? {} : { cs: orgCustom }
          expect(each).toEqual({ mid, oid, perm, selected, ...names, ...customs })
        }
      })
    )
  })
})
