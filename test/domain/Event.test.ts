import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { eventName, eventTypes, matchingTypes, type Version, visibleTypes } from "#domain/Event"

const versions: ReadonlyArray<Version> = ["v1", "v2"]
const version = fc.constantFrom(...versions)
const type = fc.constantFrom(...eventTypes)

/** Beginnings of names, and texts that begin none. */
const prefix = fc.oneof(
  fc.tuple(type, version, fc.nat(40)).map(([of, under, length]) => eventName(of, under).slice(0, length)),
  fc.string({ maxLength: 12 })
)

describe("event types", () => {
  test("are stored once each, under v2's names where the versions differ", () => {
    expect(new Set(eventTypes).size).toBe(eventTypes.length)
    for (const each of eventTypes) expect(eventName(each, "v2")).toBe(each)
    const renamed = eventTypes.filter((each) => eventName(each, "v1") !== each)
    expect(renamed.map((each) => [each, eventName(each, "v1")])).toContainEqual([
      "user.email.verifying",
      "user.email.verification_requested"
    ])
  })

  test("no two have one name in either version, and none has another's name in the other version", () => {
    for (const under of versions) {
      expect(new Set(eventTypes.map((each) => eventName(each, under))).size).toBe(eventTypes.length)
    }
    for (const each of eventTypes) {
      const v1 = eventName(each, "v1")
      expect(eventTypes.filter((other) => other === v1 && other !== each)).toEqual([])
    }
  })

  test("session.deleted is visible to v2 only; v2 sees every type", () => {
    expect(visibleTypes("v2")).toEqual(eventTypes)
    expect(visibleTypes("v1")).not.toContain("session.deleted")
    expect(eventTypes.filter((each) => !visibleTypes("v1").includes(each))).toEqual(["session.deleted"])
  })
})

describe("filters by event_type", () => {
  test("match left-anchored, by either version's name, only what the version sees, each type once and in order", () => {
    fc.assert(
      fc.property(version, fc.array(prefix, { maxLength: 4 }), (under, prefixes) => {
        const begins = (name: string) => prefixes.some((each) => name.startsWith(each))
        const expected = eventTypes
          .filter((each) => under === "v2" || each !== "session.deleted")
          .filter((each) => begins(eventName(each, "v1")) || begins(eventName(each, "v2")))
        expect(matchingTypes(under, prefixes)).toEqual(expected)
      })
    )
  })

  test("the full name of a type, in either version, finds it; no filter finds nothing, an empty one everything", () => {
    fc.assert(
      fc.property(type, version, version, (of, named, read) => {
        const found = matchingTypes(read, [eventName(of, named)])
        expect(found.includes(of)).toBe(visibleTypes(read).includes(of))
      })
    )
    for (const under of versions) {
      expect(matchingTypes(under, [])).toEqual([])
      expect(matchingTypes(under, [""])).toEqual(visibleTypes(under))
    }
  })
})
