import { decodeProtectedHeader } from "jose"
import { describe, expect, test } from "vitest"
import { STARTS_AT } from "#testing/TestSallyport"
import { oauthClient } from "../support/oauth.ts"
import { CALLBACK, claimsIn, loggedIn, redeem, refresh, sendAs, storedCode, userinfo } from "../support/oauthTokens.ts"
import { service, workerSql } from "../support/sallyport.ts"

const now = STARTS_AT / 1000

const started = async (settings: object = {}) => {
  const [{ given }, sql] = [await service(), await workerSql()]
  return { sql, realm: await given.realm({ ...settings }) }
}

const oauthError = (error: string, sentence: unknown = expect.any(String)) => ({ error, error_description: sentence })

describe("authorization_code", () => {
  test("issues an access token, an ID token and a refresh token, and records the grant", async () => {
    const { sql, realm } = await started()
    const client = await oauthClient(realm)
    const user = await realm.user()
    const session = await realm.session(user.id)
    const settings = { sid: session.id, nonce: "n-1", scopes: ["openid", "profile"] }
    const code = await storedCode(sql, realm, client, user.id, settings)
    const { result: reply, events } = await realm.seen.during(() => redeem(client, realm, code))
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^ey/),
        token_type: "Bearer",
        expires_in: 3600,
        scope: "openid profile",
        refresh_token: expect.stringMatching(/^ort_\w{43}$/),
        id_token: expect.stringMatching(/^ey/)
      }
    ])
    expect([reply.headers.get("cache-control"), reply.headers.get("pragma")]).toEqual(["no-store", "no-cache"])
    expect(events).toEqual([
      { event_type: "oauth.grant.created", user_id: user.id, client_app_id: client.id, session_id: session.id }
    ])
    const access = claimsIn(reply)
    const issuer = `https://id.example.test/realms/${realm.id}`
    const login = { auth_time: now - 60, amr: ["pwd", "otp", "mfa"], acr: "aal2" }
    expect(access).toEqual({
      iss: issuer,
      sub: user.id,
      aud: issuer,
      client_id: client.id,
      jti: expect.stringMatching(/^\w{22}$/),
      iat: now,
      exp: now + 3600,
      scope: "openid profile",
      grant: expect.stringMatching(/^gr_/),
      sid: session.id,
      ...login
    })
    expect(claimsIn(reply, "id_token")).toEqual({
      iss: issuer,
      sub: user.id,
      aud: client.id,
      azp: client.id,
      iat: now,
      exp: now + 600,
      nonce: "n-1",
      at_hash: expect.stringMatching(/^[\w-]{22}$/),
      sid: session.id,
      name: user.string("name"),
      ...login
    })
    expect(decodeProtectedHeader(reply.string("access_token"))).toMatchObject({ alg: "RS256", typ: "at+jwt" })
    expect(decodeProtectedHeader(reply.string("id_token"))).toMatchObject({ alg: "RS256", typ: "JWT" })
  })

  test("issues no ID token without openid and no refresh token without the refresh grant", async () => {
    const { sql, realm } = await started()
    const settings = { grant_types: ["authorization_code"] }
    const { reply } = await loggedIn(sql, realm, { settings, code: { scopes: ["profile", "offline_access"] } })
    expect(Object.keys(Object(reply.body))).toEqual(["access_token", "token_type", "expires_in", "scope"])
  })

  test("SEC-155: rejects a code with another client, redirect URI or verifier without using it up (CVE-2026-55672)", async () => {
    const { sql, realm } = await started()
    const [client, other] = [await oauthClient(realm), await oauthClient(realm)]
    const user = await realm.user()
    const code = await storedCode(sql, realm, client, user.id)
    const events = await realm.seen.caused(async () => {
      expect((await redeem(other, realm, code)).body).toEqual(
        oauthError("invalid_grant", "There is no such authorization code.")
      )
      const replies = await Promise.all([
        redeem(client, realm, code, { redirect_uri: `${CALLBACK}/` }),
        redeem(client, realm, code, { code_verifier: "w".repeat(43) }),
        redeem(client, realm, code, { code_verifier: undefined }),
        redeem(client, realm, code, { code_verifier: "short" })
      ])
      for (const { status, body } of replies) expect([status, body]).toEqual([400, oauthError("invalid_grant")])
    })
    expect(events).toEqual([])
    expect((await redeem(client, realm, code)).status).toBe(200)
  })

  test("SEC-160: rejects a verifier if the code was requested without a challenge", async () => {
    const { sql, realm } = await started()
    const client = await oauthClient(realm, { require_pkce: false })
    const user = await realm.user()
    const code = await storedCode(sql, realm, client, user.id, { challenge: null })
    expect((await redeem(client, realm, code)).body).toEqual(
      oauthError("invalid_grant", "The authorization request had no code_challenge.")
    )
    expect((await redeem(client, realm, code, { code_verifier: undefined })).status).toBe(200)
  })

  test("SEC-155: revokes the grant when its code is redeemed again, and records oauth.code.reused", async () => {
    const { sql, realm } = await started()
    const client = await oauthClient(realm)
    const user = await realm.user()
    const code = await storedCode(sql, realm, client, user.id)
    const first = await redeem(client, realm, code)
    const { result: second, events } = await realm.seen.during(() => redeem(client, realm, code))
    expect([second.status, second.body]).toEqual([
      400,
      oauthError("invalid_grant", "The authorization code was used before.")
    ])
    expect(events).toEqual([
      { event_type: "oauth.code.reused", user_id: user.id, client_app_id: client.id, session_id: "kss_none" }
    ])
    expect((await refresh(client, realm, first.string("refresh_token"))).body).toEqual(oauthError("invalid_grant"))
    expect((await userinfo(realm, first.string("access_token"))).status).toBe(401)
    expect(await realm.seen.caused(() => redeem(client, realm, code))).toEqual([])
  })
})

describe("SEC-152: a code is rejected", () => {
  test("when its user, client or session was deactivated or deleted", async () => {
    const { sql, realm } = await started()
    const client = await oauthClient(realm)
    const withCode = async (settings: { readonly sid?: string; readonly userId?: string } = {}) => {
      const userId = settings.userId ?? (await realm.user()).id
      return { userId, code: await storedCode(sql, realm, client, userId, settings) }
    }
    const inactive = await withCode()
    await realm.put(`/v2/users/${inactive.userId}`, { user: { state: "inactive" } })
    const deleted = await withCode()
    await realm.delete(`/v2/users/${deleted.userId}`)
    const user = await realm.user()
    const { id: sid } = await realm.session(user.id)
    const code = await storedCode(sql, realm, client, user.id, { sid, scopes: ["openid"] })
    await realm.delete(`/v2/sessions/${sid}`)
    const events = await realm.seen.caused(async () => {
      for (const one of [inactive.code, deleted.code, code]) {
        expect((await redeem(client, realm, one)).body).toEqual(oauthError("invalid_grant"))
      }
    })
    expect(events).toEqual([])
    const last = await withCode()
    await realm.put(`/v2/client_apps/${client.id}`, { client_app: { state: "inactive" } })
    const reply = await redeem(client, realm, last.code)
    expect([reply.status, reply.body]).toEqual([401, oauthError("invalid_client")])
  })
})

describe("the token endpoint", () => {
  test.each<readonly [string, Readonly<Record<string, string | undefined>>, string]>([
    ["no grant type", { grant_type: undefined }, "invalid_request"],
    ["an unknown grant type", { grant_type: "password" }, "unsupported_grant_type"],
    ["the implicit grant", { grant_type: "implicit" }, "unsupported_grant_type"],
    ["a grant type that the client may not use", { grant_type: "client_credentials" }, "unauthorized_client"],
    ["no code", { code: undefined }, "invalid_request"],
    ["a malformed code", { code: "x" }, "invalid_grant"],
    ["an unknown code", { code: `oac_${"0".repeat(43)}` }, "invalid_grant"]
  ])("rejects %s", async (_, params, error) => {
    const { realm } = await started()
    const client = await oauthClient(realm)
    const reply = await redeem(client, realm, `oac_${"1".repeat(43)}`, params)
    expect([reply.status, reply.body]).toEqual([400, oauthError(error)])
  })

  test("issues no tokens in an inactive realm", async () => {
    const { sql, realm } = await started()
    const client = await oauthClient(realm)
    const code = await storedCode(sql, realm, client, (await realm.user()).id)
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
    expect((await redeem(client, realm, code)).body).toEqual(
      oauthError("access_denied", "Logins are turned off in this realm.")
    )
  })

  test("CVE-2026-55672 (Zitadel): rejects a code or refresh token of another client", async () => {
    const { sql, realm } = await started()
    const { reply, client } = await loggedIn(sql, realm)
    const other = await oauthClient(realm)
    const token = reply.string("refresh_token")
    expect((await refresh(other, realm, token)).body).toEqual(
      oauthError("invalid_grant", "There is no such refresh token.")
    )
    const spa = await oauthClient(realm, { client_type: "spa" })
    expect((await sendAs(spa, realm, "token", { grant_type: "refresh_token", refresh_token: token })).status).toBe(400)
    expect((await refresh(client, realm, token)).status).toBe(200)
  })
})
