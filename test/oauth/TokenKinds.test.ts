import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { decoding } from "../support/decoding.ts"
import { hostedAt } from "../support/hostedApi.ts"
import { claimsIn, loggedIn, redeem, refresh, sendAs, userinfo } from "../support/oauthTokens.ts"
import { service, workerSql } from "../support/sallyport.ts"

/** A realm that signs login tokens with the key of its OAuth tokens, and one token of each kind for a user. */
const everyKind = async (sessionType: "managed" | "unmanaged" = "managed") => {
  const [{ given }, sql] = [await service(), await workerSql()]
  const realm = await given.realm({ jwt_algo: "rs256", session_type: sessionType, jwt_claims: "both" })
  const user = await realm.user()
  const session = await realm.session(user.id)
  const scopes = ["openid", "profile", "email", "orgs", "offline_access"]
  // A code needs a stored session. Unmanaged sessions created through the API aren't stored.
  const code = sessionType === "managed" ? { sid: session.id, scopes } : { scopes }
  const { client, reply, accessToken } = await loggedIn(sql, realm, { user: user.id, code })
  const idToken = reply.string("id_token")
  return {
    realm,
    client,
    login: session.string("token"),
    accessToken,
    idToken,
    refreshToken: reply.string("refresh_token")
  }
}

test("SEC-153: /v1, /v2, hosted login and the SDK reject access tokens and ID tokens as login tokens", async () => {
  for (const sessionType of ["managed", "unmanaged"] as const) {
    const { realm, login, accessToken, idToken, refreshToken } = await everyKind(sessionType)
    const at = await hostedAt(realm)
    const decode = await decoding(realm)
    const check = async (token: string) => (await at.post("checkSession", { token })).member("valid")
    const isChecked = sessionType === "managed"
    expect(await check(login)).toBe(isChecked)
    expect((await decode(login))?.object).toBe("session")
    for (const token of [accessToken, idToken, refreshToken]) {
      expect(await check(token)).not.toBe(true)
      expect(await decode(token)).toBeNull()
      const path = `/v1/sessions/${token}`
      expect((await realm.get(path)).status).toBe(404)
      expect((await new Api(realm.transport, token, realm.id).get("/v2/users")).status).toBe(401)
      expect((await new Api(realm.transport, token, realm.id).get("/v1/users")).status).toBe(401)
      expect(await realm.seen.caused(() => realm.delete(path))).toEqual([])
    }
    expect(await check(login)).toBe(isChecked)
  }
})

test("SEC-153: tokens of other kinds are rejected as access tokens and as codes", async () => {
  const { realm, client, login, accessToken, idToken, refreshToken } = await everyKind()
  for (const token of [login, idToken, refreshToken, `${accessToken}.`, "oac_x"]) {
    expect((await userinfo(realm, token)).member("error")).toBe("invalid_token")
    if (token === refreshToken) continue
    expect((await refresh(client, realm, token)).member("error")).toBe("invalid_grant")
    expect((await sendAs(client, realm, "introspect", { token })).body).toEqual({ active: false })
  }
  for (const token of [accessToken, idToken, login, refreshToken]) {
    expect((await redeem(client, realm, token)).member("error")).toBe("invalid_grant")
  }
  expect((await userinfo(realm, accessToken)).status).toBe(200)
})

test("SEC-41, SEC-153: tokens of every kind are rejected in another realm", async () => {
  const [one, other] = [await everyKind(), await everyKind()]
  for (const token of [other.accessToken, other.idToken, other.login]) {
    expect((await userinfo(one.realm, token)).member("error")).toBe("invalid_token")
    expect((await sendAs(one.client, one.realm, "introspect", { token })).body).toEqual({ active: false })
  }
  expect((await refresh(one.client, one.realm, other.refreshToken)).member("error")).toBe("invalid_grant")
  expect((await sendAs(other.client, one.realm, "introspect", { token: one.accessToken })).status).toBe(401)
})

test("CVE-2024-29892: requested claims never overwrite a token's own claims", async () => {
  const [{ given }, sql] = [await service(), await workerSql()]
  const realm = await given.realm()
  const claims = {
    id_token: { iss: null, aud: null, sub: { value: "usr_x" }, exp: null, rid: null },
    userinfo: { sub: null }
  }
  const scopes = ["openid", "offline_access"]
  const { reply, user, client } = await loggedIn(sql, realm, { code: { claims, scopes } })
  const { iss, aud, sub, rid } = claimsIn(reply, "id_token")
  const issuer = `https://id.example.test/realms/${realm.id}`
  expect({ iss, aud, sub, rid }).toEqual({ iss: issuer, aud: client.id, sub: user.id, rid: undefined })
})
