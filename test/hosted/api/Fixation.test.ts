import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { LOGGED_IN, person, statusAndBody, userAtApp } from "../../support/hostedApi.ts"
import { PASSWORD } from "../../support/logins.ts"
import { newRealm } from "../../support/sallyport.ts"

describe("SEC-36, CVE-2026-7507, CVE-2022-25896, CVE-2024-28197: session fixation", () => {
  const cookieSecret = (reply: Reply) =>
    /^__Host-session=(\w{43});/.exec(reply.headers.getSetCookie()[0] ?? "")?.[1] ?? ""

  test("each login creates a new session and cookie, regardless of the cookies that the browser sends", async () => {
    const realm = await newRealm()
    const { at, login, username } = await userAtApp(realm)
    const attacker = await person(realm)
    const own = await at.post("login", { username: attacker.string("username"), password: PASSWORD })
    const offered = [cookieSecret(own), "x".repeat(43), cookieSecret(await login(PASSWORD)), ""]
    const seen = new Set([cookieSecret(own)])
    for (const value of offered) {
      const input = { username, password: PASSWORD, token: own.string("token"), session: value }
      const reply = await at.post("login", input, { cookie: `__Host-session=${value}; session=${value}` })
      const secret = cookieSecret(reply)
      expect([secret.length, seen.has(secret), secret === value]).toEqual([43, false, false])
      seen.add(secret)
      const { user_id, id } = Object((await realm.get("/v2/sessions?direction=desc")).items[0])
      expect(seen.has(id)).toBe(false)
      seen.add(id)
      expect(user_id).not.toBe(attacker.id)
    }
    // The cookie sent with a login is revoked, but its token stays valid.
    const before = (await realm.get("/v2/sessions")).items.length
    expect(
      await realm.seen.caused(() => at.post("logout", {}, { cookie: `__Host-session=${cookieSecret(own)}` }))
    ).toEqual([])
    expect((await realm.get("/v2/sessions")).items.length).toBe(before)
    const ended = await realm.seen.caused(() => at.post("logout", { token: own.string("token") }))
    expect(ended).toEqual([{ event_type: "session.deleted", session_id: expect.any(String), user_id: attacker.id }])
  })

  test("a cookie with an unknown secret stays invalid even after a login from the browser that sent the cookie", async () => {
    const realm = await newRealm()
    const { at, username } = await userAtApp(realm)
    const cookie = `__Host-session=${"a".repeat(43)}`
    expect(statusAndBody(await at.post("login", { username, password: PASSWORD }, { cookie }))).toEqual(LOGGED_IN)
    expect(await realm.seen.caused(() => at.post("logout", {}, { cookie }))).toEqual([])
  })
})
