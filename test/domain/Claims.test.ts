import { DateTime } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { buildClaims, type TokenSubject } from "#domain/Claims"
import { encodeId, type Kind } from "#domain/Ids"
import type { LinkedMembership } from "#domain/Membership"
import { defaultSettings, jwtFields, type Realm } from "#domain/Realm"
import type { User } from "#domain/User"

const v2Names = ["iss", "sub", "rid", "sid", "iat", "exp", "preferred_username", "given_name", "family_name", "name"]
const v2More = ["email", "email_verified", "ref", "cs", "orgs"]
const v1Names = ["uid", "aud", "tk", "un", "fn", "ln", "n", "m"]
const ofOrgs = ["mid", "oid", "perm", "selected", "p", "o", "ocs"]
const reserved = [...v2Names, ...v2More, ...v1Names, ...ofOrgs, "nbf", "jti", "alg", "kid", "__proto__", "constructor"]

const half = fc.integer({ min: 0, max: 2 ** 40 - 1 })
const id = <K extends Kind>(kind: K) =>
  fc.tuple(half, half).map((random) => encodeId(kind, { millis: 1_767_225_600_000, random }))
const time = fc.integer({ min: 0, max: 253_402_300_799_000 }).map((millis) => DateTime.makeUnsafe(millis))
const maybeText = fc.option(fc.string())
const scalar = fc.oneof(
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null)
)
const key = fc.oneof(fc.constantFrom(...reserved), fc.stringMatching(/^[A-Za-z0-9_]{1,8}$/))
const custom = fc.array(fc.tuple(key, fc.oneof(scalar, fc.array(scalar)))).map(Object.fromEntries)

const user: fc.Arbitrary<User> = fc.record({
  id: id("user"),
  realmId: id("realm"),
  userType: fc.constantFrom("human", "api"),
  state: fc.constant("active"),
  email: maybeText,
  emailPending: maybeText,
  emailVerification: fc.constantFrom("none", "requested", "verified"),
  username: maybeText,
  firstName: maybeText,
  lastName: maybeText,
  name: fc.string(),
  locale: maybeText,
  reference: maybeText,
  custom,
  createdAt: time,
  lastLoginAt: fc.constant(null)
})

const org = fc.record({
  id: id("org"),
  realmId: id("realm"),
  state: fc.constant("active" as const),
  name: fc.string(),
  reference: maybeText,
  custom,
  createdAt: time
})

const membership: fc.Arbitrary<LinkedMembership> = fc
  .record({
    id: id("membership"),
    realmId: id("realm"),
    userId: id("user"),
    permissions: fc.array(fc.string()),
    custom,
    createdAt: time,
    expiresAt: fc.option(time),
    org: fc.option(org)
  })
  .map((made) => ({ ...made, orgId: made.org?.id ?? null, user: null }))

const realm: fc.Arbitrary<Realm> = fc
  .record({
    id: id("realm"),
    jwtFields: fc.subarray([...jwtFields]),
    jwtClaims: fc.constantFrom("v2" as const, "both" as const),
    createdAt: time
  })
  .map((made) => ({ ...defaultSettings("v2"), name: "Realm", pendingReset: null, ...made }))

const subject: fc.Arbitrary<TokenSubject> = fc
  .record({
    issuer: fc.webUrl(),
    realm,
    sessionId: id("session"),
    user,
    memberships: fc.array(membership, { maxLength: 3 }),
    selects: fc.boolean(),
    issuedAt: time,
    expiresAt: fc.option(time)
  })
  .map(({ selects, ...made }) => ({
    ...made,
    selectedOrgId: selects ? (made.memberships[0]?.orgId ?? "org_elsewhere") : null
  }))

const inRealm = (asked: TokenSubject, settings: Partial<Realm>): TokenSubject => ({
  ...asked,
  realm: { ...asked.realm, ...settings }
})

/** The same subject, everything it holds of custom attributes replaced. */
const withCustom = (asked: TokenSubject, other: User["custom"]): TokenSubject => ({
  ...asked,
  user: { ...asked.user, custom: other },
  memberships: asked.memberships.map((one) => ({
    ...one,
    custom: other,
    org: one.org === null ? null : { ...one.org, custom: other }
  }))
})

/** As a verifier reads them. */
const read = (asked: TokenSubject): unknown => JSON.parse(JSON.stringify(buildClaims(asked)))

/** Claims without the places that are the custom attributes' own. */
const outsideCustom = (asked: TokenSubject): unknown =>
  JSON.parse(JSON.stringify(buildClaims(asked)), (name, value) => (name === "cs" || name === "ocs" ? undefined : value))

describe("the claims of a login token", () => {
  test("CVE-2024-29892: custom attributes can never overwrite a reserved claim, whatever their names", () => {
    fc.assert(
      fc.property(subject, custom, (asked, other) => {
        expect(outsideCustom(withCustom(asked, other))).toEqual(outsideCustom(withCustom(asked, {})))
        const claims = buildClaims(withCustom(asked, other))
        expect(Object.keys(claims).filter((name) => ![...v2Names, ...v2More, ...v1Names].includes(name))).toEqual([])
      })
    )
  })

  test("custom attributes are there whole where the realm says so, and nowhere where it does not", () => {
    fc.assert(
      fc.property(subject, custom, (asked, other) => {
        const shown = read(inRealm(withCustom(asked, other), { jwtFields: ["custom", "memberships", "orgs"] }))
        expect(shown).toMatchObject({ cs: JSON.parse(JSON.stringify(other)) })
        const hidden = JSON.stringify(read(inRealm(asked, { jwtFields: ["memberships", "orgs"] })))
        expect(JSON.parse(hidden)).toEqual(outsideCustom(inRealm(asked, { jwtFields: ["memberships", "orgs"] })))
      })
    )
  })

  test("the v1 and the v2 set do not collide: both together are v2's unchanged and v1's beside them", () => {
    expect([...v2Names, ...v2More].filter((name) => v1Names.includes(name))).toEqual([])
    fc.assert(
      fc.property(subject, (asked) => {
        const v2 = buildClaims(inRealm(asked, { jwtClaims: "v2" }))
        const both = buildClaims(inRealm(asked, { jwtClaims: "both" }))
        expect(both).toMatchObject(v2)
        const added = Object.keys(both).filter((name) => !(name in v2))
        expect(added).toEqual(v1Names.filter((name) => name !== "m" || "orgs" in v2))
      })
    )
  })

  test("exp is there if and only if the session ends, and never later than that", () => {
    fc.assert(
      fc.property(subject, (asked) => {
        const { iat, exp } = buildClaims(asked)
        const floor = (at: DateTime.Utc) => Math.floor(at.epochMilliseconds / 1000)
        expect(iat).toBe(floor(asked.issuedAt))
        expect(exp).toBe(asked.expiresAt === null ? undefined : floor(asked.expiresAt))
      })
    )
  })

  test("orgs are there if the realm says so or one is selected, and only that one is marked so", () => {
    fc.assert(
      fc.property(subject, (asked) => {
        const { orgs } = buildClaims(asked)
        const wanted = asked.realm.jwtFields.includes("memberships") || asked.selectedOrgId !== null
        const named = asked.realm.jwtFields.includes("orgs") || asked.selectedOrgId !== null
        const expected = asked.memberships.map(({ id, orgId, permissions, org }) => ({
          mid: id,
          oid: orgId,
          perm: permissions,
          selected: orgId !== null && orgId === asked.selectedOrgId,
          ...(named && org !== null ? { name: org.name, ref: org.reference } : {})
        }))
        if (wanted) expect(orgs).toMatchObject(expected)
        else expect(orgs).toBeUndefined()
      })
    )
  })
})
