import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose"
import { describe, expect, onTestFinished, test } from "vitest"
import { retryDelays } from "#domain/Delivery"
import { OutboundFailed } from "#platform/Outbound"
import type { GivenRealm } from "#testing/Given"
import { OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { storedClient, storedGrant } from "../support/oauthGrants.ts"
import { canary } from "../support/receivers.ts"
import { type OwnService, ownService } from "../support/sallyport.ts"

const BACKCHANNEL = "http://schemas.openid.net/event/backchannel-logout"

let clients = 0

/** A realm that signs with RS256, and one of its users. */
const realmWithUser = async ({ given }: OwnService) => {
  const realm = await given.realm({ jwt_algo: "rs256" })
  return { realm, user: await realm.user({ password: PASSWORD }) }
}

/** A client with a back-channel logout URI, and the logout tokens it has received. */
const backchannelClient = async ({ sql, receiver }: OwnService, realm: GivenRealm) => {
  const uri = `https://client-${++clients}.example.test/backchannel`
  const told = () => receiver.to(uri).map(({ body }) => new URLSearchParams(body).get("logout_token") ?? "")
  return { id: await storedClient(sql, realm, { backchannel: uri }), uri, told }
}

const currentTime = ({ clock }: OwnService) => clock.currentTimeMillisUnsafe()

/** Verifies a logout token as its client would and returns the claims. */
const verifyLogoutToken = async (own: OwnService, realm: GivenRealm, token: string, audience: string) => {
  const keys = createLocalJWKSet(JSON.parse((await realm.get(`/realms/${realm.id}/jwks`)).text))
  const currentDate = new Date(currentTime(own))
  const issuer = `https://id.example.test/realms/${realm.id}`
  return (await jwtVerify(token, keys, { issuer, audience, typ: "logout+jwt", algorithms: ["RS256"], currentDate }))
    .payload
}

describe("C179: back-channel logout", () => {
  test("sends one logout token to each client with a grant in the session", () =>
    ownService(async (own) => {
      const { realm, user } = await realmWithUser(own)
      const [session, other] = [await realm.session(user.id), await realm.session(user.id)]
      const [one, two, three] = [
        await backchannelClient(own, realm),
        await backchannelClient(own, realm),
        await backchannelClient(own, realm)
      ]
      const silent = await storedClient(own.sql, realm)
      const [sid, scopes] = [session.id, ["openid", "offline_access"]]
      await storedGrant(own.sql, realm, one.id, user.id, { sid, currentTime: currentTime(own) })
      await storedGrant(own.sql, realm, one.id, user.id, { sid, currentTime: currentTime(own) })
      await storedGrant(own.sql, realm, two.id, user.id, { sid, currentTime: currentTime(own), scopes })
      await storedGrant(own.sql, realm, three.id, user.id, { sid: other.id, currentTime: currentTime(own) })
      await storedGrant(own.sql, realm, silent, user.id, { sid, currentTime: currentTime(own) })
      const events = await realm.seen.caused(async () => {
        await realm.delete(`/v2/sessions/${sid}`)
        await own.advance("1 second")
      })
      expect(events.map(({ event_type }) => event_type)).toEqual(["session.deleted"])
      expect([one.told().length, two.told().length, three.told().length]).toEqual([1, 1, 0])
      const [token = ""] = one.told()
      const { iat, jti, ...claims } = await verifyLogoutToken(own, realm, token, one.id)
      expect(decodeProtectedHeader(token)).toEqual({ alg: "RS256", typ: "logout+jwt", kid: expect.any(String) })
      expect(claims).toEqual({
        iss: `https://id.example.test/realms/${realm.id}`,
        aud: one.id,
        sub: user.id,
        sid,
        exp: Number(iat) + 120,
        events: { [BACKCHANNEL]: {} }
      })
      const { jti: next } = await verifyLogoutToken(own, realm, two.told()[0] ?? "", two.id)
      expect([typeof jti, jti === next]).toEqual(["string", false])
      expect(own.receiver.to(one.uri)[0]?.headers["content-type"]).toBe("application/x-www-form-urlencoded")
      await own.advance("1 day")
      expect(one.told().length).toBe(1)
    }))

  test.each<[string, (realm: GivenRealm, id: string) => Promise<unknown>]>([
    ["password change", (realm, id) => realm.put(`/v2/users/${id}`, { user: { password: OTHER_PASSWORD } })],
    ["deactivation", (realm, id) => realm.put(`/v2/users/${id}`, { user: { state: "inactive" } })],
    ["deletion", (realm, id) => realm.delete(`/v2/users/${id}`)]
  ])("SEC-175: sends a token for each session and each offline grant on the %s of a user", (_, cutOff) =>
    ownService(async (own) => {
      const { realm, user } = await realmWithUser(own)
      const sessions = [await realm.session(user.id), await realm.session(user.id), await realm.session(user.id)]
      const client = await backchannelClient(own, realm)
      for (const { id: sid } of sessions) {
        await storedGrant(own.sql, realm, client.id, user.id, {
          sid,
          currentTime: currentTime(own),
          scopes: ["offline_access"]
        })
      }
      await realm.delete(`/v2/sessions/${sessions[0]?.id}`)
      await own.advance("1 second")
      expect(client.told().length).toBe(1)
      await cutOff(realm, user.id)
      await own.advance("1 second")
      const sids = []
      for (const token of client.told().slice(1)) sids.push((await verifyLogoutToken(own, realm, token, client.id)).sid)
      expect(sids.toSorted()).toEqual(sessions.map(({ id }) => id).toSorted())
    }))

  test("retries as often as webhooks, then records oauth.logout.failed", () =>
    ownService(async (own) => {
      const { realm, user } = await realmWithUser(own)
      const client = await backchannelClient(own, realm)
      const session = await realm.session(user.id)
      await storedGrant(own.sql, realm, client.id, user.id, {
        sid: session.id,
        currentTime: currentTime(own),
        scopes: ["offline_access"]
      })
      own.receiver.answer(client.uri, () => ({ status: 400, retryAfter: undefined, excerpt: "" }))
      await realm.delete(`/v2/sessions/${session.id}`)
      const events = await realm.seen.caused(() => own.advance("3 days"))
      expect(client.told().length).toBe(retryDelays.length + 1)
      expect(new Set(client.told()).size).toBe(retryDelays.length + 1)
      expect(events).toEqual([
        expect.objectContaining({
          event_type: "oauth.logout.failed",
          user_id: user.id,
          client_app_id: client.id,
          session_id: session.id
        })
      ])
    }))

  test("SEC-176: retries a slow client until it responds, without delaying other clients", () =>
    ownService(async (own) => {
      const { realm, user } = await realmWithUser(own)
      const [dead, healthy] = [await backchannelClient(own, realm), await backchannelClient(own, realm)]
      const session = await realm.session(user.id)
      for (const { id } of [dead, healthy]) {
        await storedGrant(own.sql, realm, id, user.id, { sid: session.id, currentTime: currentTime(own) })
      }
      own.receiver.answerInTurn(dead.uri, [
        new OutboundFailed({ reason: "timed_out" }),
        new OutboundFailed({ reason: "forbidden" }),
        { status: 200, retryAfter: undefined, excerpt: "" }
      ])
      await realm.delete(`/v2/sessions/${session.id}`)
      await own.advance("1 second")
      expect([dead.told().length, healthy.told().length]).toEqual([1, 1])
      await own.advance("1 hour")
      expect([dead.told().length, healthy.told().length]).toEqual([3, 1])
    }))

  test("SEC-176: never calls a private address unless private targets are allowed", async () => {
    const inside = await canary()
    onTestFinished(inside.stop)
    await ownService(
      async (own) => {
        const { realm, user } = await realmWithUser(own)
        const backchannel = `https://127.0.0.1:${inside.port}/`
        const session = await realm.session(user.id)
        const client = await storedClient(own.sql, realm, { backchannel })
        await storedGrant(own.sql, realm, client, user.id, { sid: session.id, currentTime: currentTime(own) })
        const events = await realm.seen.caused(async () => {
          await realm.delete(`/v2/sessions/${session.id}`)
          await own.advance("3 days")
        })
        expect(events.map(({ event_type }) => event_type)).toEqual(["session.deleted", "oauth.logout.failed"])
      },
      { outbound: "real", allowPrivateTargets: false }
    )
    expect(inside.sockets.length).toBe(0)
  })

  test("SEC-177: sends logout tokens that are rejected as any other kind of token", () =>
    ownService(async (own) => {
      const { realm, user } = await realmWithUser(own)
      const client = await backchannelClient(own, realm)
      const [session, kept] = [await realm.session(user.id), await realm.session(user.id)]
      await storedGrant(own.sql, realm, client.id, user.id, { sid: session.id, currentTime: currentTime(own) })
      await realm.delete(`/v2/sessions/${session.id}`)
      await own.advance("1 second")
      const [token = ""] = client.told()
      expect((await realm.get(`/v1/sessions/${token}`)).status).toBe(404)
      expect((await realm.delete(`/v1/sessions/${token}`)).status).toBe(204)
      expect((await realm.get(`/v2/sessions/${kept.id}`)).status).toBe(200)
    }))
})
