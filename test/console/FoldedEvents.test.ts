import { describe, expect, test } from "vitest"
import type { EventItem } from "#client/generated/types/EventItem"
import { foldedEvents } from "../../src/admin/overview/FoldedEvents.ts"

const eventAt = (event_at: number, parts: Partial<EventItem> = {}): EventItem => ({
  id: `ev_${event_at}`,
  object: "event",
  event_type: "user.login.failed",
  event_at,
  realm_id: "rl_1",
  user_id: "usr_ada",
  actor: { id: "app_1", type: "client_app" },
  request: { ip: null, client: null },
  ...parts
})

const folded = (events: ReadonlyArray<EventItem>) =>
  foldedEvents(events).map(({ latest, count, isOneUser }) => [latest.event_at, count, isOneUser])

describe("the recent events of the overview", () => {
  test("fold failed logins of one user, each compared with the next one", () => {
    expect(folded([eventAt(150), eventAt(100), eventAt(50)])).toEqual([[150, 3, true]])
    expect(folded([eventAt(150), eventAt(80)])).toEqual([
      [150, 1, true],
      [80, 1, true]
    ])
  })

  test("never fold failed logins of different users or unknown names", () => {
    expect(folded([eventAt(2), eventAt(1, { user_id: "usr_bob" })])).toHaveLength(2)
    const unknown = (at: number, name: string) => {
      const { user_id: _, ...event } = eventAt(at, { names: [name] })
      return event
    }
    expect(folded([unknown(2, "eve"), unknown(1, "mallory")])).toHaveLength(2)
    expect(folded([unknown(2, "eve"), unknown(1, "eve")])).toEqual([[2, 2, true]])
  })

  test("fold what one API key created at once", () => {
    const created = (at: number, user_id: string) =>
      eventAt(at, { event_type: "user.created", user_id, actor: { id: "key_1", type: "api_key" } })
    expect(folded([created(2, "usr_ada"), created(2, "usr_bob")])).toEqual([[2, 2, false]])
    expect(folded([created(9, "usr_ada"), created(2, "usr_bob")])).toHaveLength(2)
  })
})
