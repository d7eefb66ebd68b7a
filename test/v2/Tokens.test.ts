import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { GivenRealm, uniqueText } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { newRealm, ownService, service } from "../support/sallyport.ts"

const now = STARTS_AT / 1000

const claims = (reply: Reply) => decodeJwt(reply.string("token"))

/** A user in one active and one inactive org of the realm, with a session. */
const createMember = async (realm: GivenRealm) => {
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
  await realm.membership(user.id, (await realm.org({ state: "inactive" })).id)
  return { user, org, membership, session: await realm.session(user.id) }
}

/** Creates a realm in `/v1`. Its tokens have the claims of both versions. */
const v1Realm = async (settings: Readonly<Record<string, unknown>> = {}) => {
  const { transport, key, given } = await service()
  const reply = await given.root.post("/v1/realms", { realm: { name: uniqueText("Realm"), ...settings } })
  expect(reply.status).toBe(201)
  return new GivenRealm(transport, key, reply.id)
}

/** The claims in every token of the member. */
const always = (realm: GivenRealm, user: Reply, session: Reply) => ({
  iss: `https://id.example.test/realms/${realm.id}`,
  sub: user.id,
  rid: realm.id,
  sid: session.id,
  iat: now,
  exp: now + 360 * 60,
  preferred_username: "JoD",
  given_name: "Jo",
  family_name: "Doe",
  name: "Jo Doe",
  email: "jo@example.test",
  email_verified: true,
  ref: "u-1"
})

const alwaysV1 = (realm: GivenRealm, user: Reply, session: Reply) => ({
  uid: user.id,
  aud: realm.id,
  tk: session.id,
  un: "jod",
  fn: "Jo",
  ln: "Doe",
  n: "Jo Doe"
})

describe("the claims of C29", () => {
  test("are the user's profile by default, without the v1 claims for a realm created in /v2", async () => {
    const realm = await newRealm()
    const { user, session } = await createMember(realm)
    expect(claims(session)).toEqual(always(realm, user, session))
    expect(claims(await realm.get(`/v2/sessions/${session.id}`))).toEqual(claims(session))
    expect(claims(await realm.get(`/v2/sessions/${session.id}?expand=memberships`))).toEqual(claims(session))
  })

  test("are null for attributes that the user lacks", async () => {
    const realm = await newRealm()
    const session = await realm.session((await realm.user({ email: "solo@example.test" })).id)
    expect(claims(session)).toMatchObject({
      preferred_username: null,
      given_name: null,
      family_name: null,
      name: "solo",
      email_verified: false,
      ref: null
    })
  })

  test("jwt_scopes: ar.custom adds cs, ar.orgs adds orgs, and both together add cs to each org", async () => {
    for (const [scopes, orgs, custom] of [
      [["ar.custom"], false, true],
      [["ar.orgs"], true, false],
      [["ar.orgs", "ar.custom"], true, true]
    ] as const) {
      const realm = await newRealm({ jwt_scopes: scopes })
      const { user, org, membership, session } = await createMember(realm)
      const ofOrg = { mid: membership.id, oid: org.id, perm: ["ar:owner", "a"], selected: false }
      expect(claims(session)).toEqual({
        ...always(realm, user, session),
        ...(custom ? { cs: { shoe: 42 } } : {}),
        ...(orgs ? { orgs: [{ ...ofOrg, name: "Acme", ref: "o-1", ...(custom ? { cs: { plan: "pro" } } : {}) }] } : {})
      })
    }
  })

  test("include the v1 claims for jwt_claims both, which is the default for a realm created in /v1", async () => {
    const realm = await v1Realm()
    const { user, session } = await createMember(realm)
    expect(claims(session)).toEqual({ ...always(realm, user, session), ...alwaysV1(realm, user, session) })
    await realm.put(`/v1/realms/${realm.id}`, { realm: { jwt_claims: "v2" } })
    expect(claims(await realm.get(`/v2/sessions/${session.id}`))).toEqual(always(realm, user, session))
    const both = await newRealm({ jwt_claims: "both" })
    expect(claims(await both.session((await both.user()).id))).toMatchObject({ aud: both.id, rid: both.id })
  })

  test("include memberships, org names or custom attributes, depending on jwt_fields", async () => {
    for (const [fields, custom, orgs] of [
      [["custom"], true, undefined],
      [["memberships"], false, "ids"],
      [["memberships", "orgs"], false, "names"],
      [["custom", "memberships"], true, "ids"],
      [["custom", "memberships", "orgs"], true, "names"]
    ] as const) {
      const realm = await v1Realm({ jwt_fields: fields })
      const { user, org, membership, session } = await createMember(realm)
      const named = orgs === "names"
      const v2Org = {
        mid: membership.id,
        oid: org.id,
        perm: ["ar:owner", "a"],
        selected: false,
        ...(named ? { name: "Acme", ref: "o-1", ...(custom ? { cs: { plan: "pro" } } : {}) } : {})
      }
      const v1Org = {
        p: ["ar:owner", "a"],
        oid: org.id,
        ...(custom ? { cs: {} } : {}),
        ...(named ? { o: "Acme", ...(custom ? { ocs: { plan: "pro" } } : {}) } : {})
      }
      expect(claims(session), fields.join()).toEqual({
        ...always(realm, user, session),
        ...alwaysV1(realm, user, session),
        ...(custom ? { cs: { shoe: 42 } } : {}),
        ...(orgs === undefined ? {} : { orgs: [v2Org], m: [v1Org] })
      })
    }
  })
})

test("a token from GET with org_id contains only the given org, regardless of the realm's scopes", async () => {
  for (const scopes of [[], ["ar.orgs", "ar.custom"]]) {
    const realm = await newRealm({ jwt_scopes: scopes, jwt_claims: "both" })
    const { user, org, membership, session } = await createMember(realm)
    const other = await realm.org()
    await realm.membership(user.id, other.id)
    const orgsOf = async (orgId: string, more = "") =>
      claims(await realm.get(`/v2/sessions/${session.id}?org_id=${orgId}${more}`))
    const custom = scopes.length > 0
    const selected = {
      mid: membership.id,
      oid: org.id,
      perm: ["ar:owner", "a"],
      selected: true,
      name: "Acme",
      ref: "o-1",
      ...(custom ? { cs: { plan: "pro" } } : {})
    }
    const found = await orgsOf(org.id)
    expect(found["orgs"]).toEqual([selected])
    expect(found["m"]).toMatchObject([{ oid: org.id, p: ["ar:owner", "a"], o: "Acme" }])
    expect(await orgsOf(org.id, "&expand=memberships")).toEqual(found)
    expect((await orgsOf(other.id))["orgs"]).toMatchObject([{ oid: other.id, selected: true }])
    for (const unknown of [(await realm.org()).id, (await realm.org({ state: "inactive" })).id, "x"]) {
      const withUnknownOrg = await orgsOf(unknown)
      expect([withUnknownOrg["orgs"], withUnknownOrg["m"]]).toEqual([[], []])
    }
  }
})

describe("the times of a token", () => {
  test("are the time of issue (iat) and the rounded-down expires_at (exp)", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm({ session_minutes: 10 })
      clock.advance(1_750)
      const { user, session } = await createMember(realm)
      expect(session.body).toMatchObject({ created_at: now + 1.75, expires_at: now + 601.75 })
      expect(claims(session)).toMatchObject({ iat: now + 1, exp: now + 601 })
      clock.advance(60_125)
      await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Joan" } })
      const later = await realm.get(`/v2/sessions/${session.id}`)
      expect(later.body).toMatchObject({ created_at: now + 1.75, expires_at: now + 601.75 })
      expect(claims(later)).toMatchObject({ sid: session.id, iat: now + 61, exp: now + 601, name: "Joan Doe" })
    }))

  test("have no exp for an unmanaged session with session_minutes 0", async () => {
    const realm = await newRealm({ session_type: "unmanaged", session_minutes: 0 })
    const user = await realm.user()
    const unmanaged = await realm.session(user.id)
    expect(unmanaged.member("expires_at")).toBeNull()
    expect(claims(unmanaged)).not.toHaveProperty("exp")
    expect(claims(unmanaged)).toMatchObject({ sub: user.id, sid: unmanaged.id, iat: now })
    expect((await realm.get("/v2/sessions")).items).toEqual([])
    expect((await realm.get(`/v2/sessions/${unmanaged.id}`)).status).toBe(404)

    await realm.put(`/v2/realms/${realm.id}`, { realm: { session_minutes: 3 } })
    expect(claims(await realm.session(user.id))).toMatchObject({ exp: now + 180 })
  })
})

test("CVE-2024-29892: custom attributes with the names of claims stay inside cs", async () => {
  const custom = {
    sub: "usr_x",
    rid: "rl_x",
    exp: 9e9,
    iss: "https://evil.test",
    email_verified: true,
    aud: "x",
    orgs: 1
  }
  const realm = await newRealm({ jwt_scopes: ["ar.custom", "ar.orgs"], jwt_claims: "both" })
  const user = await realm.user({ custom })
  const org = await realm.org({ custom: { ...custom, perm: ["ar:owner"], oid: "org_x" } })
  await realm.membership(user.id, org.id, { permissions: "a" })
  const session = await realm.session(user.id)
  const issued = claims(session)
  expect(issued).toMatchObject({ sub: user.id, rid: realm.id, aud: realm.id, exp: now + 21_600, email_verified: false })
  expect(issued["cs"]).toEqual(custom)
  expect(issued["orgs"]).toMatchObject([{ oid: org.id, perm: ["a"], cs: { oid: "org_x" } }])
})
