import { describe, expect, test } from "vitest"
import { STARTS_AT } from "#testing/TestSallyport"
import { oauthClient } from "../support/oauth.ts"
import { claimsIn, loggedIn, refresh, sendAs, sendForm, userinfo } from "../support/oauthTokens.ts"
import { service, workerSql } from "../support/sallyport.ts"

const started = async () => {
  const [{ given }, sql] = [await service(), await workerSql()]
  return { sql, realm: await given.realm() }
}

const api = "https://api.example"
const inactive = { active: false }

describe("introspection (RFC 7662)", () => {
  test("describes a token to its client and to the token's resource server", async () => {
    const { sql, realm } = await started()
    const { client, reply, accessToken } = await loggedIn(sql, realm, { code: { resources: [api] } })
    const server = await oauthClient(realm, { client_type: "machine", resources: [api] })
    const told = { active: true, token_type: "Bearer", ...claimsIn(reply) }
    for (const one of [client, server]) {
      const answer = await sendAs(one, realm, "introspect", { token: accessToken })
      expect([answer.status, answer.body]).toEqual([200, told])
      expect(answer.headers.get("cache-control")).toBe("no-store")
    }
    const refreshToken = reply.string("refresh_token")
    expect((await sendAs(client, realm, "introspect", { token: refreshToken })).body).toEqual({
      active: true,
      iss: `https://id.example.test/realms/${realm.id}`,
      sub: claimsIn(reply).sub,
      client_id: client.id,
      scope: "openid offline_access",
      iat: STARTS_AT / 1000,
      exp: STARTS_AT / 1000 + 30 * 86_400
    })
    await refresh(client, realm, refreshToken)
    expect((await sendAs(client, realm, "introspect", { token: refreshToken })).body).toEqual(inactive)
  })

  test("SEC-246: returns the user's current memberships instead of the ones in the token", async () => {
    const { sql, realm } = await started()
    const [user, one, other] = [await realm.user(), await realm.org(), await realm.org()]
    const lost = await realm.membership(user.id, one.id, { permissions: ["ar:admin"] })
    const kept = await realm.membership(user.id, other.id, { permissions: ["notes:write"] })
    const scopes = ["openid", "offline_access", "orgs"]
    const { client, reply, accessToken } = await loggedIn(sql, realm, { user: user.id, code: { scopes } })
    const narrow = await loggedIn(sql, realm, { user: user.id, code: { scopes, orgId: one.id } })
    await realm.delete(`/v2/memberships/${lost.id}`)
    await realm.put(`/v2/memberships/${kept.id}`, { membership: { permissions: ["notes:read"] } })
    const { orgs, ...claims } = claimsIn(reply)
    expect(orgs).toMatchObject([{ perm: ["ar:admin"] }, { perm: ["notes:write"] }])
    const shown = { mid: kept.id, oid: other.id, perm: ["notes:read"], selected: false }
    const current = [{ ...shown, name: other.string("name"), ref: null }]
    const answer = await sendAs(client, realm, "introspect", { token: accessToken })
    expect([answer.status, answer.body]).toEqual([
      200,
      { active: true, token_type: "Bearer", ...claims, orgs: current }
    ])
    const narrowed = await sendAs(narrow.client, realm, "introspect", { token: narrow.accessToken })
    expect([narrowed.status, narrowed.body]).toEqual([
      200,
      { active: true, token_type: "Bearer", ...claimsIn(narrow.reply), orgs: [] }
    ])
    const { status } = await realm.put(`/v2/users/${user.id}`, { user: { state: "inactive" } })
    const ended = await sendAs(client, realm, "introspect", { token: accessToken })
    expect([status, ended.status, ended.body]).toEqual([200, 200, inactive])
  })

  test("SEC-158: returns inactive to other clients and for tokens of any other kind", async () => {
    const { sql, realm } = await started()
    const { client, reply, accessToken } = await loggedIn(sql, realm, { code: { resources: [api] } })
    const user = await realm.user()
    const login = (await realm.session(user.id)).string("token")
    const others = [
      await oauthClient(realm),
      await oauthClient(realm, { resources: [api] }),
      await oauthClient(realm, { client_type: "machine", resources: ["https://other.example"] })
    ]
    for (const other of others) {
      for (const token of [accessToken, reply.string("refresh_token")]) {
        expect((await sendAs(other, realm, "introspect", { token })).body).toEqual(inactive)
      }
    }
    for (const token of [reply.string("id_token"), login, "x", `${accessToken}x`, `ort_${"0".repeat(43)}`]) {
      expect((await sendAs(client, realm, "introspect", { token })).body).toEqual(inactive)
    }
  })

  test("requires an authenticated confidential client", async () => {
    const { sql, realm } = await started()
    const { accessToken } = await loggedIn(sql, realm)
    const spa = await oauthClient(realm, { client_type: "spa" })
    const replies = [
      await sendForm(realm, "introspect", { token: accessToken }),
      await sendAs(spa, realm, "introspect", { token: accessToken }),
      await sendAs({ id: spa.id, secret: "ocs_x" }, realm, "introspect", { token: accessToken })
    ]
    expect(replies.map((reply) => [reply.status, reply.member("error")])).toEqual(
      Array.from({ length: 3 }, () => [401, "invalid_client"])
    )
    expect(replies.map(({ headers }) => headers.get("www-authenticate") !== null)).toEqual([false, false, true])
  })
})

describe("revocation (RFC 7009)", () => {
  test("revokes the whole grant for a refresh token, but only the token itself for an access token", async () => {
    const { sql, realm } = await started()
    const { client, user, reply, accessToken } = await loggedIn(sql, realm)
    const second = await refresh(client, realm, reply.string("refresh_token"))
    const event = { event_type: "oauth.token.revoked", user_id: user.id, client_app_id: client.id }
    const { result, events } = await realm.seen.during(() => sendAs(client, realm, "revoke", { token: accessToken }))
    expect([result.status, result.text, events]).toEqual([200, "", [event]])
    expect((await userinfo(realm, accessToken)).status).toBe(401)
    expect((await userinfo(realm, second.string("access_token"))).status).toBe(200)
    const token = second.string("refresh_token")
    const ended = await realm.seen.caused(() =>
      sendAs(client, realm, "revoke", { token, token_type_hint: "access_token" })
    )
    expect(ended).toEqual([{ ...event, session_id: "kss_none" }])
    expect((await userinfo(realm, second.string("access_token"))).status).toBe(401)
    expect((await refresh(client, realm, token)).status).toBe(400)
    for (const gone of [token, accessToken, "x"]) {
      const again = await realm.seen.during(() => sendAs(client, realm, "revoke", { token: gone }))
      expect([again.result.status, again.events]).toEqual([200, []])
    }
  })

  test("works while the realm is inactive", async () => {
    const { sql, realm } = await started()
    const { client, user, reply, accessToken } = await loggedIn(sql, realm)
    const other = await loggedIn(sql, realm, { user: user.id })
    const path = `/v2/realms/${realm.id}`
    await realm.put(path, { realm: { state: "inactive" } })
    expect((await sendAs(client, realm, "revoke", { token: accessToken })).status).toBe(200)
    expect((await sendAs(client, realm, "revoke", { token: reply.string("refresh_token") })).status).toBe(200)
    await realm.put(path, { realm: { state: "active" } })
    expect((await userinfo(realm, accessToken)).status).toBe(401)
    expect((await refresh(client, realm, reply.string("refresh_token"))).status).toBe(400)
    expect((await userinfo(realm, other.accessToken)).status).toBe(200)
  })

  test("SEC-158: rejects another client's token without revoking it", async () => {
    const { sql, realm } = await started()
    const { reply, accessToken } = await loggedIn(sql, realm)
    const other = await oauthClient(realm)
    for (const token of [accessToken, reply.string("refresh_token")]) {
      const { result, events } = await realm.seen.during(() => sendAs(other, realm, "revoke", { token }))
      expect([result.status, result.member("error"), events]).toEqual([400, "invalid_grant", []])
    }
    expect((await userinfo(realm, accessToken)).status).toBe(200)
  })
})
