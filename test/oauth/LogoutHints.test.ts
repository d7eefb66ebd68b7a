import { describe, expect, test } from "vitest"
import { type LoggedIn, loggedIn, POST_LOGOUT_URI, requestLogout } from "../support/endSession.ts"
import { statusAndHeading } from "../support/pages.ts"
import { query } from "../support/query.ts"
import { isolatedService } from "../support/sallyport.ts"
import { isLoggedIn } from "../support/visitor.ts"

const DAYS = 60 * 24

const longSessions = { session_type: "managed", session_minutes: 60 * DAYS }

/** Expires the key that signs the test's ID tokens. */
const expireKey = async ({ realm, idToken }: LoggedIn, options = "") => {
  const [header = ""] = (await idToken()).split(".")
  const { kid } = JSON.parse(Buffer.from(header, "base64url").toString())
  expect((await realm.delete(`/v2/jwt_keys/${kid}${options}`)).status).toBe(202)
  return kid
}

const logoutHint = async (at: LoggedIn) => ({
  id_token_hint: await at.idToken(),
  post_logout_redirect_uri: POST_LOGOUT_URI,
  state: "s"
})

describe("C275: an ID token signed with a retired key", () => {
  test("is accepted as a logout hint for as long as a session can last", () =>
    isolatedService(async ({ given, advance, sql }) => {
      const at = await loggedIn(await given.realm(longSessions))
      const hint = await logoutHint(at)
      const kid = await expireKey(at)
      await advance("30 days")
      const retiredKeys = () => query(sql<{ readonly id: string }>`select id from retired_public_keys`)
      expect((await at.realm.get(`/v2/jwt_keys/${kid}`)).status).toBe(404)
      expect(await retiredKeys()).toEqual([{ id: kid }])
      expect(await isLoggedIn(at.visitor)).toBe(true)
      const { result, events } = await at.realm.seen.during(() => requestLogout(at, hint))
      expect([result.status, at.visitor.leads.href]).toEqual([303, `${POST_LOGOUT_URI}&state=s`])
      expect(events).toEqual([
        expect.objectContaining({ event_type: "session.deleted", session_id: at.sid, user_id: at.user.id })
      ])
      await advance("732 days")
      expect(await retiredKeys()).toEqual([])
    }))

  test("SEC-256: is rejected as a hint if the key was force-deleted, and the user must confirm the logout", () =>
    isolatedService(async ({ given }) => {
      const at = await loggedIn(await given.realm())
      await expireKey(at, "?force=true")
      const hint = await logoutHint(at)
      expect(statusAndHeading(await requestLogout(at, hint))).toEqual([200, "Log out?"])
      expect(await isLoggedIn(at.visitor)).toBe(true)
      await requestLogout(at, { ...hint, client_id: at.client.id })
      await at.visitor.fill({}, "Log out")
      expect([at.visitor.leads.href, await isLoggedIn(at.visitor)]).toEqual([`${POST_LOGOUT_URI}&state=s`, false])
    }))

  test("is ignored as a hint if the client was deleted, and the user must confirm the logout", () =>
    isolatedService(async ({ given }) => {
      const at = await loggedIn(await given.realm())
      const hint = await logoutHint(at)
      await at.realm.delete(`/v2/client_apps/${at.client.id}`)
      expect(statusAndHeading(await requestLogout(at, hint))).toEqual([200, "Log out?"])
      await at.visitor.fill({}, "Log out")
      expect(statusAndHeading(at.visitor.page)).toEqual([200, "You're logged out"])
      expect(await isLoggedIn(at.visitor)).toBe(false)
    }))

  test("is accepted only as a hint: other tokens signed with the retired key are rejected", () =>
    isolatedService(async ({ given, advance }) => {
      const realm = await given.realm({ ...longSessions, jwt_algo: "rs256" })
      const session = await realm.session((await realm.user()).id)
      const [id, token] = [session.id, session.string("token")]
      const [key] = (await realm.get("/v2/jwt_keys")).items
      expect((await realm.get(`/v1/sessions/${token}`)).id).toBe(id)
      await realm.delete(`/v2/jwt_keys/${key?.["id"]}`)
      await advance("30 days")
      expect([
        (await realm.get(`/v1/sessions/${token}`)).status,
        (await realm.get(`/v1/sessions/${id}`)).status
      ]).toEqual([404, 200])
    }))
})
