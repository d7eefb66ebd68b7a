import { Duration } from "effect"
import { expect, test } from "vitest"
import { visibleTypes } from "#domain/Event"
import { limits } from "#domain/Limit"
import { eventTypes } from "../../src/admin/events/EventTypes.ts"
import { limitGroups } from "../../src/admin/realms/LimitTable.ts"

// The console doesn't load the domain in the browser. Its own tables must be identical.

test("the console knows every event type", () => {
  expect([...eventTypes].sort()).toEqual([...visibleTypes("v2")].sort())
})

test("the console knows every limit of a realm with its default and window", () => {
  const known = limitGroups.flatMap((group) => group.limits)
  const inConsole = known.map(({ name, otherwise, seconds }) => [name, otherwise, seconds])
  const inDomain = Object.entries(limits).map(([name, { most, within }]) => [name, most, Duration.toSeconds(within)])
  expect([...inConsole].sort()).toEqual([...inDomain].sort())
})
