import { describe, expect, test } from "vitest"
import { STARTS_AT } from "#testing/TestSallyport"
import { oauthClient } from "../support/oauth.ts"
import { claimsIn, sendAs, userinfo } from "../support/oauthTokens.ts"
import { service } from "../support/sallyport.ts"

const orders = "https://orders.example"
const stock = "https://stock.example"

const started = async (settings: object = {}) => {
  const { given } = await service()
  const realm = await given.realm({ oauth_scopes: ["orders:read", "orders:write"] })
  const scopes = { allowed_scopes: ["orders:read", "orders:write"], resources: [orders, stock] }
  const client = await oauthClient(realm, { client_type: "machine", ...scopes, ...settings })
  const requestToken = (params: Readonly<Record<string, string | ReadonlyArray<string>>> = {}) =>
    sendAs(client, realm, "token", { grant_type: "client_credentials", ...params })
  return { realm, client, requestToken }
}

describe("client_credentials", () => {
  test("issues an access token for the client itself and records no event", async () => {
    const { realm, client, requestToken } = await started()
    const { result: reply, events } = await realm.seen.during(() =>
      requestToken({ scope: "orders:read", resource: orders })
    )
    expect([reply.status, reply.body, events]).toEqual([
      200,
      { access_token: expect.any(String), token_type: "Bearer", expires_in: 3600, scope: "orders:read" },
      []
    ])
    expect(claimsIn(reply)).toEqual({
      iss: `https://id.example.test/realms/${realm.id}`,
      sub: client.id,
      aud: orders,
      client_id: client.id,
      jti: expect.any(String),
      iat: STARTS_AT / 1000,
      exp: STARTS_AT / 1000 + 3600,
      scope: "orders:read"
    })
    expect((await userinfo(realm, reply.string("access_token"))).status).toBe(401)
  })

  test("issues a token that userinfo rejects, even if the token's audience is the realm itself", async () => {
    const { realm, client, requestToken } = await started({ resources: [] })
    const reply = await requestToken()
    expect([claimsIn(reply).aud, claimsIn(reply).sub]).toEqual([claimsIn(reply).iss, client.id])
    const told = await userinfo(realm, reply.string("access_token"))
    expect([told.status, told.member("error")]).toEqual([403, "insufficient_scope"])
  })

  test("grants all allowed scopes and resources if the request names no scopes or resources", async () => {
    const { requestToken } = await started({ access_token_minutes: 5 })
    const reply = await requestToken()
    expect([reply.member("scope"), reply.member("expires_in")]).toEqual(["orders:read orders:write", 300])
    expect(claimsIn(reply)["aud"]).toEqual([orders, stock])
  })

  const NO_BANK = "The client can't get tokens for the resource https://bank.example with this grant."
  const UNNAMED = "One of the resources is not among the client's resources."

  test.each([
    [
      { scope: "orders:delete" },
      "invalid_scope",
      "The scope orders:delete is not among the allowed_scopes of the client."
    ],
    [
      { scope: "orders:read openid" },
      "invalid_scope",
      "The scope openid is not among the allowed_scopes of the client."
    ],
    [{ resource: "https://bank.example" }, "invalid_target", NO_BANK],
    [{ resource: [orders, "https://bank.example"] }, "invalid_target", NO_BANK],
    [{ resource: 'https://bank.example/"quoted"' }, "invalid_target", UNNAMED],
    [{ resource: `https://bank.example/${"x".repeat(200)}` }, "invalid_target", UNNAMED]
  ] as const)("SEC-154: rejects %j and names the scope or resource that isn't allowed", async (params, error, description) => {
    const reply = await (await started()).requestToken(params)
    expect([reply.status, reply.body]).toEqual([400, { error, error_description: description }])
  })

  test("issues tokens that can be revoked", async () => {
    const { realm, client, requestToken } = await started()
    const token = (await requestToken()).string("access_token")
    const isActive = async () => (await sendAs(client, realm, "introspect", { token })).member("active")
    expect(await isActive()).toBe(true)
    expect(await realm.seen.caused(() => sendAs(client, realm, "revoke", { token }))).toEqual([
      { event_type: "oauth.token.revoked", client_app_id: client.id }
    ])
    expect(await isActive()).toBe(false)
  })
})
