import { expect, test } from "vitest"
import { authenticate, PASSWORD, statusAndErrors, userEvent } from "../support/logins.ts"
import { service } from "../support/sallyport.ts"

/** Spellings of addresses and invalid values, sent in forwarding headers. */
const claimed = [
  "203.0.113.7",
  "203.0.113.007",
  "::ffff:203.0.113.7",
  "2001:db8::1",
  "2001:0db8:0000:0000:0000:0000:0000:0001",
  "[2001:db8::2]:443",
  "127.0.0.1, 203.0.113.9",
  "unknown",
  "'; drop table attempts;--",
  ""
]

test("SEC-10, CVE-2024-47070, CVE-2026-45364: guesses count no matter which client address they claim", async () => {
  const realm = await (await service()).given.realm()
  const user = await realm.user({ password: PASSWORD })
  const { events } = await realm.seen.during(async () => {
    for (const ip of claimed) {
      const reply = await realm.call("POST", `/v2/users/${user.id}/authenticate`, {
        body: { user: { password: "not this one" }, request: { ip } },
        headers: { "x-forwarded-for": ip, forwarded: `for="${ip.replaceAll('"', "")}"`, "x-real-ip": ip }
      })
      expect([ip, ...statusAndErrors(reply)]).toEqual([ip, 422, ["Login failed."]])
    }
  })
  expect(events).toEqual([...claimed.map(() => userEvent(user, "login.failed")), userEvent(user, "blocked")])
  expect((await authenticate(realm, user.id)).status).toBe(429)
})
