import { decodeJwt, decodeProtectedHeader } from "jose"
import { describe, expect, test } from "vitest"
import { Api, type Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { encode, forged } from "../support/forgedTokens.ts"
import { statusAndErrors } from "../support/logins.ts"
import { newRealm, ownService } from "../support/sallyport.ts"

const noSession = [404, ["Session could not be found."]]

const pathOf = (idOrToken: string) => `/v1/sessions/${encodeURIComponent(idOrToken)}`

/** Creates a session for a new user. Returns it with its token and the token's parts. */
const signedSession = async (realm: GivenRealm) => {
  const session = await realm.session((await realm.user()).id)
  const token = session.string("token")
  const [head = "", body = "", signature = ""] = token.split(".")
  return { session, token, head, body, signature, header: decodeProtectedHeader(token), claims: decodeJwt(token) }
}

const keyOf = async (realm: GivenRealm) => (await realm.get(`/v1/realms/${realm.id}`)).string("jwt_key")

/** Asserts that each token gets the response for an unknown id and ends no session. */
const expectAllRejected = async (realm: GivenRealm, session: Reply, tokens: Readonly<Record<string, string>>) => {
  const callers: ReadonlyArray<Api> = [realm, await realm.as("write"), new Api(realm.transport, realm.key)]
  const events = await realm.seen.caused(async () => {
    for (const [name, token] of Object.entries(tokens)) {
      for (const api of callers) {
        for (const query of ["", "?expand=token", "?expand=memberships,token"]) {
          expect([name, ...statusAndErrors(await api.get(pathOf(token) + query))]).toEqual([name, ...noSession])
        }
        const removed = await api.delete(pathOf(token))
        expect([name, removed.status, removed.text]).toEqual([name, 204, ""])
      }
    }
  })
  expect(events).toEqual([])
  expect((await realm.get(`/v1/sessions/${session.id}`)).status).toBe(200)
}

describe("a full token used as a session id", () => {
  test("determines the realm for a key that is not locked to a realm", async () => {
    const realm = await newRealm()
    const { session, token } = await signedSession(realm)
    const root = new Api(realm.transport, realm.key)
    expect((await root.get(pathOf(token))).id).toBe(session.id)
    const events = await realm.seen.caused(() => root.delete(pathOf(token)))
    expect(events.map(({ event_type }) => event_type)).toEqual(["session.deleted"])
    expect(statusAndErrors(await root.get(pathOf(token)))).toEqual(noSession)
    expect(statusAndErrors(await root.get("/v1/sessions/x"))).toEqual(noSession)
  })

  test("is accepted with hs256 and rs256 while its signing key is valid", () =>
    ownService(async ({ given, advance }) => {
      for (const jwt_algo of ["hs256", "rs256"]) {
        const realm = await given.realm({ jwt_algo, session_minutes: 24 * 60 })
        const { session, token, header } = await signedSession(realm)
        expect((await realm.get(pathOf(token))).id).toBe(session.id)
        await realm.delete(`/v1/jwt_keys/${header.kid}`)
        expect((await realm.get(pathOf(token))).id).toBe(session.id)
        const fresh = await realm.get(`${pathOf(token)}?expand=token`)
        expect(decodeProtectedHeader(fresh.string("token")).kid).not.toBe(header.kid)
        await realm.delete(`/v1/jwt_keys/${header.kid}?force=true`)
        await advance("1 second")
        expect(statusAndErrors(await realm.get(pathOf(token)))).toEqual(noSession)
        expect((await realm.get(pathOf(fresh.string("token")))).id).toBe(session.id)
      }
    }))

  test("is accepted with 8 KiB of custom attributes", async () => {
    const realm = await newRealm({ jwt_scopes: ["ar.custom"] })
    const user = await realm.user({ custom: { note: "x".repeat(8 * 1024) } })
    const token = (await realm.session(user.id)).string("token")
    expect(token.length).toBeGreaterThan(10_000)
    expect((await realm.get(pathOf(token))).status).toBe(200)
    expect((await realm.delete(pathOf(token))).status).toBe(204)
    expect(statusAndErrors(await realm.get(pathOf(token)))).toEqual(noSession)
  })

  test("is rejected in a list, in a body and in /v2", async () => {
    const realm = await newRealm()
    const { session, token } = await signedSession(realm)
    expect(statusAndErrors(await realm.get(`/v1/sessions?after=${token}`))).toEqual(noSession)
    expect(statusAndErrors(await realm.get(`/v2/sessions/${token}`))).toEqual(noSession)
    expect(statusAndErrors(await realm.get(`/v1/users/${token}`))).toEqual([404, ["User could not be found."]])
    expect((await realm.delete(`/v2/sessions/${token}`)).status).toBe(204)
    expect((await realm.get(`/v1/sessions/${session.id}`)).status).toBe(200)
  })
})

describe("GET and DELETE with an invalid token as the session id", () => {
  test("SEC-41: find no session for another realm's token, even if both realms share its signing key", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const [mine, theirs] = [await signedSession(realm), await signedSession(other)]
    const [myKey, theirKey] = [await keyOf(realm), await keyOf(other)]
    const locked = await realm.as("write")
    const shared = { algo: "hs256", use: "sign", key: `two-realms-hold-this-secret-${realm.id}` }
    const kid = (await realm.post("/v1/jwt_keys", { jwt_key: shared })).id
    await other.post("/v1/jwt_keys", { jwt_key: shared })
    const tokens = {
      unchanged: theirs.token,
      "with my key's id": forged(mine.header, theirs.claims, theirKey),
      "signed by my key": forged(mine.header, theirs.claims, myKey),
      "with my claims, signed by its key": forged(theirs.header, mine.claims, theirKey),
      "signed by the shared key": forged({ ...mine.header, kid }, theirs.claims, shared.key),
      "signed by the shared key, with only the name of my realm": forged(
        { ...mine.header, kid },
        { ...theirs.claims, rid: realm.id },
        shared.key
      )
    }
    const events = await other.seen.caused(async () => {
      for (const [name, token] of Object.entries(tokens)) {
        for (const api of [realm, locked]) {
          expect([name, ...statusAndErrors(await api.get(pathOf(token)))]).toEqual([name, ...noSession])
          expect((await api.delete(pathOf(token))).status).toBe(204)
        }
      }
    })
    expect(events).toEqual([])
    for (const [owner, { session }] of [
      [realm, mine],
      [other, theirs]
    ] as const) {
      expect((await owner.get(`/v1/sessions/${session.id}`)).status).toBe(200)
    }
  })

  test("SEC-42: find no session for a modified, truncated or padded token", async () => {
    const realm = await newRealm()
    const [mine, another] = [await signedSession(realm), await signedSession(realm)]
    const { token, head, body, signature } = mine
    const changed = (text: string, at: number) =>
      text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1)
    await expectAllRejected(realm, mine.session, {
      "with another session's claims": `${head}.${another.body}.${signature}`,
      "with another session's signature": `${head}.${body}.${another.signature}`,
      "with a later expiry": `${head}.${encode({ ...mine.claims, exp: 4_102_444_800 })}.${signature}`,
      "changed in its body": `${head}.${changed(body, 40)}.${signature}`,
      "changed in its signature": changed(token, token.length - 3),
      "without its last character": token.slice(0, -1),
      "without signature": `${head}.${body}.`,
      "without its last part": `${head}.${body}`,
      padded: `${token}=`,
      "with an extra part": `${token}.${signature}`,
      "with a leading space": ` ${token}`,
      "with a line break": `${token}\n`,
      "with a NUL": `${token}\u0000`
    })
  })

  test("SEC-39, SEC-40: find no session for a token with alg none, a confused algorithm or an unknown key", async () => {
    const realm = await newRealm({ jwt_algo: "rs256" })
    const { session, body, claims, header } = await signedSession(realm)
    const pem = await keyOf(realm)
    await expectAllRejected(realm, session, {
      none: `${encode({ ...header, alg: "none" })}.${body}.`,
      None: `${encode({ ...header, alg: "None" })}.${body}.`,
      "no algorithm": forged({ kid: header.kid }, claims, pem),
      "the public key as secret": forged({ ...header, alg: "HS256" }, claims, pem),
      "the public key as secret, without the last line break": forged({ ...header, alg: "HS256" }, claims, pem.trim()),
      "RS256 with an HMAC": forged(header, claims, pem),
      "no kid": forged({ alg: "HS256" }, claims, pem),
      "an unknown kid": forged({ ...header, alg: "HS256", kid: "jky_x" }, claims, ""),
      "kid as a path": forged({ ...header, alg: "HS256", kid: "../../dev/null" }, claims, ""),
      crit: forged({ ...header, crit: ["exp"] }, claims, pem)
    })
    const simple = await newRealm()
    const own = await signedSession(simple)
    const secret = await keyOf(simple)
    await expectAllRejected(simple, own.session, {
      "HS256 declared as RS256": forged({ ...own.header, alg: "RS256" }, own.claims, secret),
      HS512: forged({ ...own.header, alg: "HS512" }, own.claims, secret),
      "no exp": forged(own.header, { ...own.claims, exp: undefined }, secret),
      "exp as a string": forged(own.header, { ...own.claims, exp: String(own.claims.exp) }, secret),
      "another issuer": forged(own.header, { ...own.claims, iss: "https://evil.example.test" }, secret),
      "no session": forged(own.header, { ...own.claims, sid: undefined }, secret),
      "an invalid session id": forged(own.header, { ...own.claims, sid: "' or 1=1--" }, secret),
      "a realm's id as session": forged(own.header, { ...own.claims, sid: simple.id }, secret),
      "a list as claims": forged(own.header, [own.claims], secret)
    })
  })

  test("C31: find no session for an expired token, even before the session is removed", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm({ session_minutes: 1 })
      const { session, token } = await signedSession(realm)
      clock.advance(59_999)
      expect((await realm.get(pathOf(token))).id).toBe(session.id)
      clock.advance(1)
      const { result, events } = await realm.seen.during(async () => [
        await realm.get(pathOf(token)),
        await realm.delete(pathOf(token))
      ])
      expect(result.map(({ status }) => status)).toEqual([404, 204])
      expect(events).toEqual([])
    }))

  test("find no session for a token from an API key login", async () => {
    const realm = await newRealm()
    const api_key = "robot-key-0123456789abcdef"
    await realm.apiUser({ api_key })
    const token = (await realm.post("/v1/users/authenticate_key", { api_key })).string("token")
    expect(statusAndErrors(await realm.get(pathOf(token)))).toEqual(noSession)
    expect(await realm.seen.caused(() => realm.delete(pathOf(token)))).toEqual([])
  })

  test("C20: find no session for a token whose session was ended by a realm reset", async () => {
    const realm = await newRealm()
    const { session, token } = await signedSession(realm)
    expect((await realm.post(`/v1/realms/${realm.id}/reset`, {})).status).toBe(202)
    for (const id of [session.id, token]) {
      expect(statusAndErrors(await realm.get(pathOf(id)))).toEqual(noSession)
      expect((await realm.delete(pathOf(id))).status).toBe(204)
    }
  })
})
