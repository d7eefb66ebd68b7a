import { expect, test } from "vitest"
import { nearestName } from "#domain/NearestName"

const known = [
  "after",
  "max_results",
  "sort",
  "direction",
  "realm_id",
  "email",
  "username",
  "user_id",
  "state",
  "created_at_after"
]

test.each([
  ["realm", "realm_id"],
  ["realmId", "realm_id"],
  ["REALM-ID", "realm_id"],
  ["emial", "email"],
  ["user_nmae", "username"],
  ["max_result", "max_results"],
  ["dir", "direction"],
  ["email_address", "email"],
  ["stat", "state"],
  ["sate", "state"],
  ["soort", "sort"],
  ["created_after", "created_at_after"]
])("the nearest name to %s is %s", (name, nearest) => {
  expect(nearestName(name, known)).toBe(nearest)
})

test("the nearest name to a known name is the name itself, or the first of several equally near names", () => {
  for (const name of known) expect(nearestName(name, known)).toBe(name)
  expect(nearestName("sart", ["sort", "sert"])).toBe("sort")
  expect(nearestName("user", ["user_id", "user_no"])).toBe("user_id")
})

test("text that is too short or resembles no name has no nearest name", () => {
  for (const name of [
    "",
    "[]",
    "ñ",
    "\u0000",
    "q".repeat(100_000),
    "q",
    "id",
    "expand",
    "request_id",
    "foo",
    "fields"
  ]) {
    expect(nearestName(name, known), name).toBe(undefined)
  }
  expect(nearestName("x", [])).toBe(undefined)
})
