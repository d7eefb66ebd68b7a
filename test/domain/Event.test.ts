import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { eventName, eventTypes, matchingTypes, type Version, visibleTypes } from "#domain/Event"
import { integer, oneOf } from "../support/arbitraries.ts"

const versions: ReadonlyArray<Version> = ["v1", "v2"]
const SomeVersion = Schema.Literals(versions)
const OneType = Schema.Literals(eventTypes)

/** Prefixes of event names, and texts that aren't prefixes of any. */
const prefix = oneOf(
  Arbitrary.map(Arbitrary.schema(Schema.Tuple([OneType, SomeVersion, integer(0, 40)])), ([of, under, length]) =>
    eventName(of, under).slice(0, length)
  ),
  Arbitrary.schema(Schema.String.check(Schema.isMaxLength(12)))
)

const hiddenInV1: ReadonlyArray<string> = [
  "console.session.created",
  "console.session.deleted",
  "console.updated",
  "domain.check_failed",
  "domain.created",
  "domain.deleted",
  "domain.lost",
  "domain.recovered",
  "domain.verified",
  "operator.created",
  "operator.deleted",
  "operator.invited",
  "operator.updated",
  "realm.reset",
  "session.deleted",
  "user.deletion.canceled",
  "user.deletion.scheduled"
]

describe("event types", () => {
  it("are listed once, under their v2 names", () => {
    expect(new Set(eventTypes).size).toBe(eventTypes.length)
    for (const each of eventTypes) expect(eventName(each, "v2")).toBe(each)
    const renamed = eventTypes.filter((each) => eventName(each, "v1") !== each)
    expect(renamed.map((each) => [each, eventName(each, "v1")])).toContainEqual([
      "user.email.verifying",
      "user.email.verification_requested"
    ])
  })

  it("have unique names within each version and across both", () => {
    for (const under of versions) {
      expect(new Set(eventTypes.map((each) => eventName(each, under))).size).toBe(eventTypes.length)
    }
    for (const each of eventTypes) {
      const v1 = eventName(each, "v1")
      expect(eventTypes.filter((other) => other === v1 && other !== each)).toEqual([])
    }
  })

  it("are all visible to v2, and some are hidden from v1", () => {
    expect(visibleTypes("v2")).toEqual(eventTypes)
    expect(eventTypes.filter((each) => !visibleTypes("v1").includes(each))).toEqual(hiddenInV1)
  })
})

describe("filters by event_type", () => {
  it.prop(
    "match prefixes of either version's names, and only visible types",
    [SomeVersion, Arbitrary.array(prefix, { maxLength: 4 })],
    ([under, prefixes]) => {
      const begins = (name: string) => prefixes.some((each) => name.startsWith(each))
      const expected = eventTypes
        .filter((each) => under === "v2" || !hiddenInV1.includes(each))
        .filter((each) => begins(eventName(each, "v1")) || begins(eventName(each, "v2")))
      expect(matchingTypes(under, prefixes)).toEqual(expected)
    },
    { arbitrary: { size: 12 } }
  )

  it.prop(
    "find a type by its full name in either version",
    [OneType, SomeVersion, SomeVersion],
    ([of, named, read]) => {
      const found = matchingTypes(read, [eventName(of, named)])
      expect(found.includes(of)).toBe(visibleTypes(read).includes(of))
    }
  )

  it("match no types for an empty list, and all types for an empty string", () => {
    for (const under of versions) {
      expect(matchingTypes(under, [])).toEqual([])
      expect(matchingTypes(under, [""])).toEqual(visibleTypes(under))
    }
  })
})
