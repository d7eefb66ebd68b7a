import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { claimsIn, loggedIn, userinfo } from "../support/oauthTokens.ts"
import { ownService, service, workerSql } from "../support/sallyport.ts"

const ORGS = 62

/** A user in many orgs, each with custom attributes. */
const createMember = async (realm: GivenRealm) => {
  const user = await realm.user({ custom: { note: "n".repeat(500) } })
  for (let n = 0; n < ORGS; n++) {
    const org = await realm.org({ name: `Organization ${n} ${"x".repeat(60)}`, custom: { plan: "p".repeat(40) } })
    await realm.membership(user.id, org.id, { permissions: ["ar:admin", "reports:read"] })
  }
  return user
}

const tooLarge = { event_type: "token.too_large" }

describe.each([
  ["rs256", "v2"],
  ["hs256", "both"]
])("SEC-259: the token of a user in 62 orgs (%s, claims of %s)", (jwt_algo, jwt_claims) => {
  test("omits claims that don't fit, lists them in ar.truncated and records an event once an hour", () =>
    ownService(async ({ given, clock }) => {
      const settings = { jwt_algo, jwt_claims, jwt_scopes: ["ar.orgs", "ar.custom"] }
      const realm = await given.realm({ ...settings, jwt_max_bytes: 60_000 })
      const user = await createMember(realm)
      const session = await realm.session(user.id)
      expect(session.string("token").length).toBeGreaterThan(18_000)
      const { result, events } = await realm.seen.during(async () => {
        await realm.put(`/v2/realms/${realm.id}`, { realm: { jwt_max_bytes: 12_000 } })
        const replies = [await realm.get(`/v2/sessions/${session.id}?expand=memberships`)]
        replies.push(await realm.get(`/v2/sessions/${session.id}`))
        return replies
      })
      expect(events).toEqual([
        { event_type: "realm.updated" },
        { ...tooLarge, user_id: user.id, session_id: session.id }
      ])
      for (const reply of result) {
        const token = reply.string("token")
        expect(token.length).toBeLessThanOrEqual(12_000)
        const { orgs, cs, m, "ar.truncated": truncated } = decodeJwt(token)
        const both = jwt_claims === "both"
        const left = ["orgs.custom", "orgs.names", "custom", ...(both ? ["orgs"] : [])]
        expect([truncated, cs]).toEqual([left, undefined])
        expect(Object(orgs).length).toBeGreaterThan(both ? 20 : ORGS - 1)
        expect(Object(orgs)[0]).toMatchObject({ perm: ["ar:admin", "reports:read"], mid: expect.any(String) })
        expect(m === undefined).toBe(!both)
        expect((await realm.get(`/v1/sessions/${token}`)).id).toBe(session.id)
      }
      expect(Object(result[0]?.member("user", "memberships")).length).toBe(ORGS)
      clock.advance("1 hour")
      const again = await realm.seen.during(() => realm.get(`/v2/sessions/${session.id}`))
      expect(again.events).toEqual([{ ...tooLarge, user_id: user.id, session_id: session.id }])
    }))
})

test("a token whose claims all fit has no ar.truncated and records no event", async () => {
  const realm = await (await service()).given.realm({ jwt_scopes: ["ar.orgs", "ar.custom"] })
  const user = await realm.user({ custom: { plan: "gold" } })
  await realm.membership(user.id, (await realm.org()).id)
  const { result, events } = await realm.seen.during(() => realm.session(user.id))
  expect([decodeJwt(result.string("token"))["ar.truncated"], events]).toEqual([undefined, []])
})

test("C277: an OAuth access token omits memberships that don't fit, while userinfo returns all memberships", async () => {
  const [{ given }, sql] = [await service(), await workerSql()]
  const realm = await given.realm({ jwt_max_bytes: 4_000 })
  const user = await createMember(realm)
  const login = await loggedIn(sql, realm, { user: user.id, code: { scopes: ["openid", "offline_access", "orgs"] } })
  const { orgs, "ar.truncated": truncated } = claimsIn(login.reply)
  expect(login.accessToken.length).toBeLessThanOrEqual(4_000)
  expect(truncated).toEqual(["orgs.names", "orgs"])
  expect(Object(orgs).length).toBeLessThan(ORGS)
  expect(Object((await userinfo(realm, login.accessToken)).member("orgs")).length).toBe(ORGS)
  expect(await realm.seen.all()).toContainEqual(expect.objectContaining({ ...tooLarge, user_id: user.id }))
})
