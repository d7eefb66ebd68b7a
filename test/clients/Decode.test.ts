import { createLocalJWKSet, decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import { decoder } from "#client/Decode"
import { GivenRealm, uniqueText } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { browserBundle } from "../support/browserBundle.ts"
import { allDecoders, decoding, jwksOf, jwksUrl, keyOf, newRealm, now, outcome, tokenOf } from "../support/decoding.ts"
import { forged } from "../support/forgedTokens.ts"
import { service } from "../support/sallyport.ts"

const START = STARTS_AT / 1000

/** A realm created under `/v1`, whose tokens carry the claims of both versions. */
const v1Realm = async (settings: object = {}): Promise<GivenRealm> => {
  const { transport, key, given } = await service()
  const reply = await given.root.post("/v1/realms", {
    realm: { name: uniqueText("Realm"), jwt_algo: "hs256", ...settings }
  })
  return new GivenRealm(transport, key, reply.id)
}

const member = async (realm: GivenRealm) => {
  const user = await realm.user({
    email: "Jo@Example.test",
    username: "JoD",
    first_name: "Jo",
    last_name: "Doe",
    reference: "u-1",
    custom: { shoe: 42 },
    email_verification: "verified"
  })
  const org = await realm.org({ name: "Acme", reference: "o-1", custom: { plan: "pro" } })
  const membership = await realm.membership(user.id, org.id, { permissions: ["ar:owner", "a"] })
  const session = await realm.session(user.id)
  return { user, org, membership, session, token: session.string("token") }
}

type Member = Awaited<ReturnType<typeof member>>

/** The profile in every token of the member. */
const profile = (realm: GivenRealm, { user }: Member) => ({
  id: user.id,
  object: "user",
  realm_id: realm.id,
  username: "JoD",
  email: "jo@example.test",
  email_verification: "verified",
  first_name: "Jo",
  last_name: "Doe",
  name: "Jo Doe",
  reference: "u-1"
})

const sessionOf = ({ session, user, token }: Member, shown: object) => ({
  id: session.id,
  object: "session",
  created_at: START,
  expires_at: START + 360 * 60,
  token,
  user_id: user.id,
  user: shown
})

describe("Decode returns", () => {
  test("the session and the user's profile, for hs256 and for each way to verify rs256", async () => {
    const shared = await newRealm()
    const one = await member(shared)
    expect(await (await decoding(shared))(one.token)).toStrictEqual(sessionOf(one, profile(shared, one)))
    const realm = await newRealm({ jwt_algo: "rs256" })
    const other = await member(realm)
    for (const decode of await allDecoders(realm)) {
      expect(await decode(other.token)).toStrictEqual(sessionOf(other, profile(realm, other)))
    }
  })

  test("memberships with permissions and orgs, and custom attributes, if the realm's tokens include them", async () => {
    for (const scopes of [["ar.orgs"], ["ar.custom"], ["ar.orgs", "ar.custom"]]) {
      const [orgs, all] = [scopes.includes("ar.orgs"), scopes.includes("ar.custom")]
      const realm = await newRealm({ jwt_scopes: scopes })
      const one = await member(realm)
      const org = { id: one.org.id, object: "org", realm_id: realm.id, name: "Acme", reference: "o-1" }
      const membership = {
        id: one.membership.id,
        object: "membership",
        org_id: one.org.id,
        user_id: one.user.id,
        permissions: ["ar:owner", "a"],
        org: { ...org, ...(all ? { custom: { plan: "pro" } } : {}) }
      }
      const shown = {
        ...profile(realm, one),
        ...(all ? { custom: { shoe: 42 } } : {}),
        ...(orgs ? { memberships: [membership] } : {})
      }
      expect(await (await decoding(realm))(one.token)).toStrictEqual(sessionOf(one, shown))
    }
  })

  test("the claims of both versions, or of version 1 only", async () => {
    const realm = await v1Realm({ jwt_fields: ["custom", "memberships", "orgs"] })
    const one = await member(realm)
    const decode = await decoding(realm)
    const org = { id: one.org.id, object: "org", realm_id: realm.id, name: "Acme", custom: { plan: "pro" } }
    const membership = {
      object: "membership",
      org_id: one.org.id,
      user_id: one.user.id,
      permissions: ["ar:owner", "a"],
      custom: {}
    }
    const both = { id: one.membership.id, ...membership, org: { ...org, reference: "o-1" } }
    const shown = { ...profile(realm, one), custom: { shoe: 42 } }
    expect(await decode(one.token)).toStrictEqual(sessionOf(one, { ...shown, memberships: [both] }))

    const { uid, aud, tk, un, fn, ln, n, cs, m, iat, exp } = decodeJwt(one.token)
    const token = forged(
      { alg: "HS256", typ: "JWT" },
      { uid, aud, tk, un, fn, ln, n, cs, m, iat, exp },
      await keyOf(realm)
    )
    const { email: _email, email_verification: _verification, reference: _reference, ...others } = shown
    const first = { ...others, username: "jod", memberships: [{ ...membership, org }] }
    expect(await decode(token)).toStrictEqual({ ...sessionOf(one, first), token })
    expect(await outcome(await decoding(realm, { realmId: realm.id }), token)).toBe("decoded")
    expect(await outcome(await decoding(realm, { realmId: uid === undefined ? "" : String(uid) }), token)).toBe("null")
  })

  test("null for missing values and for an unverified email", async () => {
    const realm = await newRealm()
    const token = (await realm.session((await realm.user({ email: "solo@example.test" })).id)).string("token")
    expect((await (await decoding(realm))(token))?.user).toMatchObject({
      username: null,
      first_name: null,
      last_name: null,
      name: "solo",
      email_verification: null,
      reference: null
    })
  })

  test("unmanaged sessions and sessions started with an API key", async () => {
    const realm = await newRealm({ session_type: "unmanaged", session_minutes: 60, api_key_minutes: 10 })
    const decode = await decoding(realm)
    const user = await realm.user()
    const session = await realm.session(user.id)
    expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(404)
    expect(await decode(session.string("token"))).toMatchObject({
      id: session.id,
      expires_at: START + 3_600,
      user_id: user.id
    })

    const robot = await realm.apiUser({ username: "importer", api_key: "generate" })
    const login = await realm.post("/v1/users/authenticate_key", { api_key: robot.string("api_key") })
    expect(await decode(login.string("token"))).toMatchObject({
      expires_at: START + 600,
      user_id: robot.id,
      user: { username: "importer", email: null }
    })
  })

  test("a deleted session, because only the service knows whether a session is active", async () => {
    const realm = await newRealm()
    const one = await member(realm)
    expect((await realm.delete(`/v2/sessions/${one.session.id}`)).status).toBe(204)
    expect((await realm.get(`/v2/sessions/${one.session.id}`)).status).toBe(404)
    expect(await (await decoding(realm))(one.token)).toMatchObject({ id: one.session.id })
  })
})

describe("A decoder", () => {
  test("throws if the keys can't be fetched, because the token may be valid", async () => {
    const realm = await newRealm({ jwt_algo: "rs256" })
    const token = await tokenOf(realm)
    const nowhere = new URL(`${realm.url}/realms/rl_nobody/jwks`)
    await expect(decoder({ now, jwks: nowhere })(token)).rejects.toThrow()
    await expect(decoder({ now, jwks: new URL("http://127.0.0.1:1/jwks") })(token)).rejects.toThrow()
    await expect(decoder({ now, jwtKey: "-----BEGIN PUBLIC KEY-----\nx" })(token)).rejects.toThrow()
    for (const jwtKey of ["", "secret", "k".repeat(31)]) {
      expect(() => decoder({ jwtKey })).toThrow("at least 32 bytes")
    }
    expect(await decoder({ now, jwtKey: "k".repeat(32) })(token)).toBeNull()
  })

  test("accepts tokens signed with the realm's new key or the retired key", async () => {
    const realm = await newRealm({ jwt_algo: "rs256" })
    const old = await tokenOf(realm)
    for (const jwt_algo of ["hs256", "rs256"]) await realm.put(`/v2/realms/${realm.id}`, { realm: { jwt_algo } })
    const keys = await jwksOf(realm)
    expect(createLocalJWKSet(keys).jwks()?.keys).toHaveLength(2)
    const decode = decoder({ now, jwks: jwksUrl(realm) })
    for (const token of [old, await tokenOf(realm)]) expect(await outcome(decode, token)).toBe("decoded")
  })

  test("runs in a browser, without code from Node or the service", async () => {
    const { files, imports } = await browserBundle("Decode.ts")
    const foreign = files.filter((path) => !/^(src\/client|node_modules\/jose)\//.test(path))
    expect(foreign).toEqual([])
    expect(imports).toEqual([])
  })
})
