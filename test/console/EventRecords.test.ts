import { expect, test } from "vitest"
import type { EventItem } from "#client/generated/types/EventItem"
import { fileStart, recordsOf } from "../../src/admin/events/EventRecords.ts"

const eventOf = (name: string, client: string): EventItem => ({
  id: "ev_1",
  object: "event",
  event_type: "user.login.failed",
  event_at: 1_795_238_591.164,
  realm_id: "rl_1",
  user_id: "usr_1",
  actor: { type: "api_key", id: "key_1" },
  reason: "wrong_password",
  request: { ip: "203.0.113.7", client },
  display_names: { usr_1: name, key_1: "Desk" }
})

test("a CSV export names the user and the actor, with the result and the reason", () => {
  expect(fileStart("csv")).toBe(
    "\uFEFFtime,event_type,result,reason,attempts,user,user_id,typed_names,org,org_id,actor_type,actor,actor_id,ip,client,changed,id\r\n"
  )
  expect(recordsOf("csv", [eventOf("Ada", "curl/8")])).toBe(
    '"2026-11-21T05:23:11.164Z","user.login.failed","failed","wrong_password","","Ada","usr_1","","","","api_key","Desk","key_1","203.0.113.7","curl/8","","ev_1"\r\n'
  )
})

test.each([
  ['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
  ["+1", `"'+1"`],
  ["-1", `"'-1"`],
  ["@SUM(A1)", `"'@SUM(A1)"`],
  ["\t=1", `"'\t=1"`],
  ['a "quoted", name', '"a ""quoted"", name"'],
  ["two\r\nlines", '"two\r\nlines"']
])("a CSV export contains the name and user agent %j as text", (text, cell) => {
  const row = recordsOf("csv", [eventOf(text, text)])
  expect(row.split(cell)).toHaveLength(3)
})

test("an NDJSON export has one complete event per line", () => {
  const events = [eventOf("two\nlines", "curl/8"), eventOf("\u2028", "=1")]
  const lines = recordsOf("ndjson", events).trimEnd().split("\n")
  expect(lines.map((line) => JSON.parse(line))).toEqual(events)
  expect(fileStart("ndjson")).toBe("")
})

test("an export contains no one-time token, whose holder could log in", () => {
  const event = { ...eventOf("Ada", "curl/8"), token: "tpr:secret", token_id: "tk_1" }
  for (const format of ["csv", "ndjson"] as const) expect(recordsOf(format, [event])).not.toContain("secret")
  expect(JSON.parse(recordsOf("ndjson", [event]))).toMatchObject({ id: event.id, user_id: event.user_id })
})
