import { describe, expect, test } from "vitest"
import { Api, type Reply } from "#testing/Api"
import { claimsIn, loggedIn, refresh, sendForm, userinfo } from "../support/oauthTokens.ts"
import { service, workerSql } from "../support/sallyport.ts"

const started = async (settings: object = {}) => {
  const [{ given }, sql] = [await service(), await workerSql()]
  return { sql, realm: await given.realm({ ...settings }) }
}

const offline = (...scopes: ReadonlyArray<string>) => ["openid", "offline_access", ...scopes]

test("C256: userinfo rejects a request with an access token in more than one place (RFC 6750 §2)", async () => {
  const { sql, realm } = await started()
  const { accessToken } = await loggedIn(sql, realm)
  const header = { authorization: `Bearer ${accessToken}` }
  const nobody = new Api(realm.transport, undefined)
  const path = `/realms/${realm.id}/userinfo`
  const form = { "content-type": "application/x-www-form-urlencoded" }
  const twice = [
    await sendForm(realm, "userinfo", { access_token: accessToken }, header),
    await sendForm(realm, "userinfo", { access_token: "another" }, header),
    await sendForm(realm, "userinfo", { access_token: [accessToken, accessToken] }),
    await nobody.call("GET", `${path}?access_token=${accessToken}`, { headers: header }),
    await nobody.call("POST", `${path}?access_token=x`, { headers: form, body: `access_token=${accessToken}` })
  ]
  for (const reply of twice) {
    expect([reply.status, reply.member("error")]).toEqual([400, "invalid_request"])
    expect(reply.headers.get("www-authenticate")).toContain('error="invalid_request"')
  }
  const once = [
    await sendForm(realm, "userinfo", { access_token: accessToken }),
    await sendForm(realm, "userinfo", { access_token: "" }, header),
    await sendForm(realm, "userinfo", {}, header),
    await nobody.call("POST", path, { headers: header, body: "{}" })
  ]
  expect(once.map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

describe("the claims granted by a scope (OpenID Connect Core §5.4)", () => {
  test("include sub for openid, names for profile and the address for email", async () => {
    const { sql, realm } = await started()
    const bare = await loggedIn(sql, realm, { code: { scopes: offline() } })
    expect((await userinfo(realm, bare.accessToken)).body).toEqual({ sub: bare.user.id })
    const all = await loggedIn(sql, realm, { code: { scopes: offline("profile", "email") } })
    const told = await userinfo(realm, all.accessToken)
    expect(told.body).toEqual({
      sub: all.user.id,
      name: "Ann Lee",
      given_name: "Ann",
      family_name: "Lee",
      email: all.user.string("email"),
      email_verified: true
    })
    expect([told.headers.get("cache-control"), told.headers.get("access-control-allow-origin")]).toEqual([
      "no-store",
      "*"
    ])
    const narrowed = await refresh(all.client, realm, all.reply.string("refresh_token"), { scope: "openid email" })
    expect(Object.keys(Object((await userinfo(realm, narrowed.string("access_token"))).body))).toEqual([
      "sub",
      "email",
      "email_verified"
    ])
  })

  test("C169: are added to the ID token if the token request has the profile and email scopes", async () => {
    const { sql, realm } = await started()
    const userClaims = (reply: Reply) => {
      const { name, given_name, family_name, email, email_verified } = claimsIn(reply, "id_token")
      return { name, given_name, family_name, email, email_verified }
    }
    const { client, reply, user } = await loggedIn(sql, realm, { code: { scopes: offline("profile", "email") } })
    const names = { name: "Ann Lee", given_name: "Ann", family_name: "Lee" }
    const mail = { email: user.string("email"), email_verified: true }
    expect(userClaims(reply)).toEqual({ ...names, ...mail })
    const refreshed = await refresh(client, realm, reply.string("refresh_token"))
    expect(userClaims(refreshed)).toEqual({ ...names, ...mail })
    const narrowed = await refresh(client, realm, refreshed.string("refresh_token"), { scope: "openid email" })
    expect(userClaims(narrowed)).toEqual(mail)
  })

  test("C169: are omitted from the ID token if the client's id_token_claims is minimal", async () => {
    const { sql, realm } = await started()
    const settings = { id_token_claims: "minimal" }
    const scopes = offline("profile", "email")
    const { reply, user } = await loggedIn(sql, realm, { settings, code: { scopes } })
    expect(Object.keys(claimsIn(reply, "id_token")).filter((claim) => /name|email|locale/.test(claim))).toEqual([])
    const claims = { id_token: { email: null } }
    const asked = await loggedIn(sql, realm, { settings, user: user.id, code: { scopes, claims } })
    const { email, name } = claimsIn(asked.reply, "id_token")
    expect([email, name]).toEqual([user.string("email"), undefined])
  })

  test("C169: are added to the ID token by the claims parameter only if the matching scope is granted", async () => {
    const { sql, realm } = await started()
    const claims = {
      id_token: { orgs: { essential: true }, name: null, phone_number: null },
      userinfo: { email: null }
    }
    const settings = { consent: "ask" }
    const { reply } = await loggedIn(sql, realm, { settings, code: { scopes: offline("orgs"), claims } })
    const { orgs, name, email, phone_number } = claimsIn(reply, "id_token")
    expect([orgs, name, email, phone_number]).toEqual([[], undefined, undefined, undefined])
  })

  test("C170: are returned to a first-party client that requests the claims without the scope", async () => {
    const { sql, realm } = await started()
    const claims = { userinfo: { name: { essential: true } }, id_token: { given_name: null } }
    for (const [consent, told] of [
      ["skip", "Ann Lee"],
      ["ask", undefined]
    ] as const) {
      const { accessToken } = await loggedIn(sql, realm, { settings: { consent }, code: { scopes: offline(), claims } })
      expect((await userinfo(realm, accessToken)).member("name")).toBe(told)
    }
  })

  test("list the user's orgs with permissions for the scope orgs, or only the org named by org_id", async () => {
    const { sql, realm } = await started()
    const user = await realm.user()
    const [one, other] = [await realm.org({ reference: "r-1" }), await realm.org()]
    const first = await realm.membership(user.id, one.id, { permissions: ["ar:admin"] })
    const second = await realm.membership(user.id, other.id)
    const shown = { mid: first.id, oid: one.id, perm: ["ar:admin"], name: one.string("name"), ref: "r-1" }
    const login = await loggedIn(sql, realm, { user: user.id, code: { scopes: offline("orgs") } })
    const rest = { mid: second.id, oid: other.id, perm: [], name: other.string("name"), ref: null, selected: false }
    const all = [{ ...shown, selected: false }, rest]
    expect(claimsIn(login.reply)["orgs"]).toEqual(all)
    expect((await userinfo(realm, login.accessToken)).body).toEqual({ sub: user.id, orgs: all })
    expect(claimsIn(login.reply, "id_token")["orgs"]).toBeUndefined()
    const narrow = await loggedIn(sql, realm, { user: user.id, code: { scopes: offline("orgs"), orgId: one.id } })
    expect(claimsIn(narrow.reply)["orgs"]).toEqual([{ ...shown, selected: true }])
    await realm.delete(`/v2/memberships/${first.id}`)
    expect((await userinfo(realm, narrow.accessToken)).member("orgs")).toEqual([])
  })
})

describe("the access token (RFC 6750)", () => {
  const challenge = (realm: { readonly id: string }) => `Bearer realm="${realm.id}"`

  test("is accepted in the header or the form of a POST, but not in the query", async () => {
    const { sql, realm } = await started()
    const { accessToken, user } = await loggedIn(sql, realm)
    const nobody = new Api(realm.transport, undefined)
    const path = `/realms/${realm.id}/userinfo`
    const bearer = { authorization: `bearer ${accessToken}` }
    for (const reply of [
      await nobody.call("POST", path, { headers: bearer }),
      await sendForm(realm, "userinfo", { access_token: accessToken })
    ]) {
      expect([reply.status, reply.member("sub")]).toEqual([200, user.id])
    }
    expect((await nobody.get(`${path}?access_token=${accessToken}`)).status).toBe(401)
  })

  test("is required, and WWW-Authenticate reports whether the token is missing or invalid", async () => {
    const { realm } = await started()
    const nobody = new Api(realm.transport, undefined)
    const none = await nobody.get(`/realms/${realm.id}/userinfo`)
    expect([none.status, none.text, none.headers.get("www-authenticate")]).toEqual([
      401,
      "",
      `${challenge(realm)}, DPoP algs="ES256 RS256 PS256 EdDSA"`
    ])
    const wrong = await userinfo(realm, "x")
    expect([wrong.status, wrong.member("error")]).toEqual([401, "invalid_token"])
    expect(wrong.headers.get("www-authenticate")).toContain(`${challenge(realm)}, error="invalid_token"`)
  })

  test("must have the scope openid", async () => {
    const { sql, realm } = await started()
    const { accessToken } = await loggedIn(sql, realm, { code: { scopes: ["profile", "offline_access"] } })
    const reply = await userinfo(realm, accessToken)
    expect([reply.status, reply.member("error")]).toEqual([403, "insufficient_scope"])
  })

  test("SEC-154: is rejected unless the audience includes the realm", async () => {
    const { sql, realm } = await started()
    const resources = ["https://api.example"]
    const { client, reply, accessToken, user } = await loggedIn(sql, realm, { code: { resources } })
    expect(claimsIn(reply)["aud"]).toBe("https://api.example")
    expect((await userinfo(realm, accessToken)).member("error")).toBe("invalid_token")
    const issuer = `https://id.example.test/realms/${realm.id}`
    const own = await refresh(client, realm, reply.string("refresh_token"), { resource: issuer })
    expect(claimsIn(own)["aud"]).toBe(issuer)
    expect((await userinfo(realm, own.string("access_token"))).member("sub")).toBe(user.id)
    const both = await refresh(client, realm, own.string("refresh_token"), { resource: [...resources, issuer] })
    expect(claimsIn(both)["aud"]).toEqual([...resources, issuer])
  })
})
