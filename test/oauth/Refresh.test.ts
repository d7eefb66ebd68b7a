import type { SqlClient } from "effect/sql/SqlClient"
import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { claimsIn, loggedIn, refresh, sendAs, userinfo } from "../support/oauthTokens.ts"
import { query } from "../support/query.ts"
import { clockedService, service, workerSql } from "../support/sallyport.ts"

const started = async () => {
  const [{ given }, sql] = [await service(), await workerSql()]
  return { sql, realm: await given.realm() }
}

const invalidGrant = (error_description: string) => ({ error: "invalid_grant", error_description })

const GRANT_ENDED = invalidGrant("The user's grant was revoked or has expired.")

test("a refresh token returns a new refresh token and an access token with at most the grant's scopes", async () => {
  const { sql, realm } = await started()
  const scopes = ["openid", "profile", "offline_access"]
  const { client, user, reply } = await loggedIn(sql, realm, { code: { scopes, nonce: "n" } })
  const { result: second, events } = await realm.seen.during(() =>
    refresh(client, realm, reply.string("refresh_token"))
  )
  expect([second.status, second.member("scope"), events]).toEqual([200, scopes.join(" "), []])
  const [before, after] = [claimsIn(reply), claimsIn(second)]
  expect(after).toEqual({ ...before, jti: expect.any(String) })
  expect(after["jti"]).not.toBe(before["jti"])
  const { at_hash: _, nonce: __, ...idToken } = claimsIn(reply, "id_token")
  expect(claimsIn(second, "id_token")).toEqual({ ...idToken, at_hash: expect.any(String) })
  expect(claimsIn(second, "id_token")["sub"]).toBe(user.id)
  const narrowed = await refresh(client, realm, second.string("refresh_token"), { scope: "profile" })
  expect([narrowed.member("scope"), narrowed.member("id_token")]).toEqual(["profile", undefined])
  const wide = await refresh(client, realm, narrowed.string("refresh_token"))
  expect(wide.member("scope")).toBe(scopes.join(" "))
})

test.each([
  [{ scope: "openid admin" }, "invalid_scope"],
  [{ scope: 'a"b' }, "invalid_scope"],
  [{ resource: "https://other.example" }, "invalid_target"],
  [{ resource: ["https://api.example", "https://other.example"] }, "invalid_target"],
  [{ refresh_token: "" }, "invalid_request"],
  [{ refresh_token: "ort_x" }, "invalid_grant"]
] as const)("SEC-154: rejects %j without using up the refresh token", async (params, error) => {
  const { sql, realm } = await started()
  const { client, reply } = await loggedIn(sql, realm, { code: { resources: ["https://api.example"] } })
  const token = reply.string("refresh_token")
  const wrong = await refresh(client, realm, token, params)
  expect([wrong.status, wrong.member("error")]).toEqual([400, error])
  expect((await refresh(client, realm, token)).status).toBe(200)
})

describe("SEC-154: a grant whose client loses permissions", () => {
  const scopes = ["openid", "profile", "email", "offline_access"]
  const api = "https://api.example"
  const other = "https://other.example"

  /** A client with a grant, whose settings are then restricted. */
  const restricted = async (settings: object, resources: ReadonlyArray<string> = []) => {
    const { sql, realm } = await started()
    const at = await loggedIn(sql, realm, { code: { scopes, resources, claims: { userinfo: { email: null } } } })
    await realm.put(`/v2/client_apps/${at.client.id}`, { client_app: settings })
    return { ...at, realm, token: at.reply.string("refresh_token") }
  }

  test("loses the same scopes in new tokens, introspection and user info", async () => {
    const { client, realm, token, accessToken } = await restricted({ allowed_scopes: ["openid", "offline_access"] })
    const left = "openid offline_access"
    for (const one of [accessToken, token]) {
      expect((await sendAs(client, realm, "introspect", { token: one })).body).toMatchObject({
        active: true,
        scope: left
      })
    }
    expect(Object.keys((await userinfo(realm, accessToken)).body ?? {})).toEqual(["sub"])
    expect((await refresh(client, realm, token, { scope: "profile" })).body).toEqual({
      error: "invalid_scope",
      error_description: "The scope profile is not among the allowed_scopes of the client."
    })
    const narrowed = await refresh(client, realm, token)
    expect(narrowed.member("scope")).toBe(left)
    expect(Object.keys((await userinfo(realm, narrowed.string("access_token"))).body ?? {})).toEqual(["sub"])
  })

  test("cannot be refreshed while the client has no scopes", async () => {
    const { client, realm, token } = await restricted({ allowed_scopes: [] })
    expect((await refresh(client, realm, token)).member("error")).toBe("invalid_scope")
    await realm.put(`/v2/client_apps/${client.id}`, { client_app: { allowed_scopes: scopes } })
    expect((await refresh(client, realm, token)).member("scope")).toBe(scopes.join(" "))
  })

  test("ends with its session if the client loses offline access", async () => {
    const { client, realm, user, token } = await restricted({ allowed_scopes: ["openid"] })
    expect((await refresh(client, realm, token)).status).toBe(200)
    await query((await workerSql())`delete from sessions where realm_id = ${realm.id} and user_id = ${user.id}`)
    expect((await refresh(client, realm, token)).body).toEqual(GRANT_ENDED)
  })

  test("gets new tokens only for the client's remaining resource servers", async () => {
    const some = await restricted({ resources: [api] }, [api, other])
    expect((await sendAs(some.client, some.realm, "introspect", { token: some.accessToken })).body).toEqual({
      active: false
    })
    expect((await refresh(some.client, some.realm, some.token, { resource: other })).member("error")).toBe(
      "invalid_target"
    )
    expect(claimsIn(await refresh(some.client, some.realm, some.token)).aud).toBe(api)
    const none = await restricted({ resources: [] }, [api])
    expect((await refresh(none.client, none.realm, none.token)).member("error")).toBe("invalid_target")
  })
})

describe("SEC-157: refresh token rotation (RFC 9700 §4.14.2)", () => {
  test("returns the same new token if the old token is sent again within 30 seconds", async () => {
    const { given, advance, sql } = await clockedService()
    const realm = await given.realm()
    const { client, reply } = await loggedInNow(sql, realm)
    const token = reply.string("refresh_token")
    const first = await refresh(client, realm, token)
    await advance("30 seconds")
    const second = await refresh(client, realm, token)
    expect(second.string("refresh_token")).toBe(first.string("refresh_token"))
    expect(second.string("access_token")).not.toBe(first.string("access_token"))
    expect((await refresh(client, realm, second.string("refresh_token"))).status).toBe(200)
  })

  test("revokes all tokens of the grant on a later reuse, whether the thief or the client comes first", async () => {
    const { given, advance, sql } = await clockedService()
    const realm = await given.realm()
    for (const thiefComesFirst of [true, false]) {
      const { client, user, reply } = await loggedInNow(sql, realm)
      const token = reply.string("refresh_token")
      const successor = (await refresh(client, realm, token)).string("refresh_token")
      if (thiefComesFirst) await refresh(client, realm, successor)
      await advance("31 seconds")
      const { result: reused, events } = await realm.seen.during(() => refresh(client, realm, token))
      expect(reused.body).toEqual(invalidGrant("The refresh token was used before."))
      expect(events).toEqual([
        { event_type: "oauth.refresh.reused", user_id: user.id, client_app_id: client.id, session_id: "kss_none" }
      ])
      expect((await refresh(client, realm, successor)).body).toEqual(GRANT_ENDED)
      expect((await userinfo(realm, reply.string("access_token"))).status).toBe(401)
      expect(await realm.seen.caused(() => refresh(client, realm, token))).toEqual([])
    }
  })

  test("stores no data that reveals a refresh token", async () => {
    const { given, advance, sql } = await clockedService()
    const realm = await given.realm()
    const { client, reply } = await loggedInNow(sql, realm)
    const second = (await refresh(client, realm, reply.string("refresh_token"))).string("refresh_token")
    await advance("1 minute")
    const third = (await refresh(client, realm, second)).string("refresh_token")
    const rows = await query(sql<{ readonly salt: string | null }>`select * from oauth_refresh_tokens
      where realm_id = ${realm.id} order by created_at`)
    for (const token of [second, third]) expect(JSON.stringify(rows)).not.toContain(token.slice(4))
    expect(rows.map(({ salt }) => salt !== null)).toEqual([false, true, false])
  })

  test("expires a token that is not used within the client's refresh_token_days", async () => {
    const { given, advance, sql } = await clockedService()
    const realm = await given.realm()
    const { client, reply } = await loggedInNow(sql, realm, { refresh_token_days: 1 })
    await advance("23 hours")
    const second = await refresh(client, realm, reply.string("refresh_token"))
    await advance("23 hours")
    const third = await refresh(client, realm, second.string("refresh_token"))
    await advance("25 hours")
    const late = await refresh(client, realm, third.string("refresh_token"))
    expect([second.status, third.status, late.status]).toEqual([200, 200, 400])
  })
})

/** Logs in with a code issued now according to the advanced test clock. */
const loggedInNow = async (sql: SqlClient, realm: GivenRealm, settings: object = {}) => {
  const { event_at } = (await realm.seen.all()).at(-1) ?? {}
  const at = Number(event_at) * 1_000
  return loggedIn(sql, realm, { settings: { ...settings }, code: { at } })
}

describe("SEC-152: refresh and userinfo", () => {
  test("CVE-2026-43983 (Pocket ID): reject the tokens of an inactive user", async () => {
    const { sql, realm } = await started()
    const { client, user, reply } = await loggedIn(sql, realm)
    await realm.put(`/v2/users/${user.id}`, { user: { state: "inactive" } })
    expect((await refresh(client, realm, reply.string("refresh_token"))).status).toBe(400)
    expect((await userinfo(realm, reply.string("access_token"))).status).toBe(401)
  })

  test("reject the tokens of a deleted user", async () => {
    const { sql, realm } = await started()
    const { client, user, reply } = await loggedIn(sql, realm)
    await realm.delete(`/v2/users/${user.id}`)
    expect((await refresh(client, realm, reply.string("refresh_token"))).status).toBe(400)
    expect((await userinfo(realm, reply.string("access_token"))).status).toBe(401)
  })

  test("reject the tokens of an inactive client, which can't even authenticate", async () => {
    const { sql, realm } = await started()
    const { client, reply } = await loggedIn(sql, realm)
    await realm.put(`/v2/client_apps/${client.id}`, { client_app: { state: "inactive" } })
    const refused = await refresh(client, realm, reply.string("refresh_token"))
    expect([refused.status, refused.member("error")]).toEqual([401, "invalid_client"])
    expect((await userinfo(realm, reply.string("access_token"))).status).toBe(401)
  })

  test("reject the tokens of an inactive realm until the realm is active again", async () => {
    const { sql, realm } = await started()
    const { client, reply } = await loggedIn(sql, realm)
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
    expect((await refresh(client, realm, reply.string("refresh_token"))).status).toBe(400)
    expect((await userinfo(realm, reply.string("access_token"))).status).toBe(401)
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "active" } })
    expect((await refresh(client, realm, reply.string("refresh_token"))).status).toBe(200)
  })

  test.each([
    [["openid"], 400, 401],
    [["openid", "offline_access"], 200, 200]
  ])("reject the tokens of a deleted session unless the grant is for offline access: %j", async (scopes, refreshed, told) => {
    const { sql, realm } = await started()
    const user = await realm.user()
    const session = await realm.session(user.id)
    const { client, reply } = await loggedIn(sql, realm, { user: user.id, code: { sid: session.id, scopes } })
    await realm.delete(`/v2/sessions/${session.id}`)
    expect((await refresh(client, realm, reply.string("refresh_token"))).status).toBe(refreshed)
    expect((await userinfo(realm, reply.string("access_token"))).status).toBe(told)
  })

  test("reject the tokens of a revoked grant", async () => {
    const { sql, realm } = await started()
    const { client, reply } = await loggedIn(sql, realm)
    const grant = String(claimsIn(reply)["grant"])
    await realm.delete(`/v2/grants/${grant}`)
    expect((await refresh(client, realm, reply.string("refresh_token"))).body).toEqual(GRANT_ENDED)
    expect((await userinfo(realm, reply.string("access_token"))).status).toBe(401)
  })
})
