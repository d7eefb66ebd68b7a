import { expect, test } from "vitest"
import { dpopKey } from "../support/dpop.ts"
import { oauthClient } from "../support/oauth.ts"
import { loggedIn, redeem, refresh, sendAs, storedCode, userinfo } from "../support/oauthTokens.ts"
import { service, workerSql } from "../support/sallyport.ts"

test("tokens work from issue to revocation on both databases", async () => {
  const [{ given }, sql] = [await service(), await workerSql()]
  const realm = await given.realm()
  const key = await dpopKey()
  const headers = { dpop: await key.proof(realm, "token") }
  const user = await realm.user()
  const { id: sid } = await realm.session(user.id)
  const code = { sid, scopes: ["openid"] }
  const { client, reply, accessToken } = await loggedIn(sql, realm, { user: user.id, code, headers })
  const proof = await key.proof(realm, "userinfo", { accessToken })
  expect((await userinfo(realm, accessToken, "DPoP", { dpop: proof })).member("sub")).toBe(user.id)
  const second = await refresh(client, realm, reply.string("refresh_token"))
  const again = await refresh(client, realm, reply.string("refresh_token"))
  expect(again.string("refresh_token")).toBe(second.string("refresh_token"))
  for (const token of [second.string("access_token"), second.string("refresh_token")]) {
    expect((await sendAs(client, realm, "introspect", { token })).member("active")).toBe(true)
    expect((await sendAs(client, realm, "revoke", { token })).status).toBe(200)
    expect((await sendAs(client, realm, "introspect", { token })).member("active")).toBe(false)
  }

  const replayed = await storedCode(sql, realm, client, user.id, code)
  const events = await realm.seen.caused(async () => {
    expect((await redeem(client, realm, replayed)).status).toBe(200)
    expect((await redeem(client, realm, replayed)).status).toBe(400)
  })
  expect(events.map(({ event_type }) => event_type)).toEqual(["oauth.grant.created", "oauth.code.reused"])

  const machine = await oauthClient(realm, { client_type: "machine", resources: ["https://api.example"] })
  const own = await sendAs(machine, realm, "token", { grant_type: "client_credentials" })
  const token = own.string("access_token")
  expect((await sendAs(machine, realm, "introspect", { token })).member("active")).toBe(true)
})
