import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, DateTime, Schema } from "effect"
import { authenticationMethods } from "#domain/Authentication"
import { buildClaims, type TokenSubject } from "#domain/Claims"
import { encodeId, type Kind } from "#domain/Ids"
import type { LinkedMembership } from "#domain/Membership"
import { defaultSettings, jwtFields, type Realm } from "#domain/Realm"
import type { User } from "#domain/User"
import { integer, matching, oneOf } from "../support/arbitraries.ts"

const v2Names = ["iss", "sub", "rid", "sid", "iat", "exp", "preferred_username", "given_name", "family_name", "name"]
const v2More = ["email", "email_verified", "ref", "auth_time", "amr", "acr", "cs", "orgs"]
const v1Names = ["uid", "aud", "tk", "un", "fn", "ln", "n", "m"]
const ofOrgs = ["mid", "oid", "perm", "selected", "p", "o", "ocs"]
const reserved = [...v2Names, ...v2More, ...v1Names, ...ofOrgs, "nbf", "jti", "alg", "kid", "__proto__", "constructor"]

const Half = integer(0, 2 ** 40 - 1)
const id = <K extends Kind>(kind: K) =>
  Arbitrary.map(Arbitrary.schema(Schema.Tuple([Half, Half])), (random) =>
    encodeId(kind, { millis: 1_767_225_600_000, random })
  )
const time = Arbitrary.map(Arbitrary.schema(integer(0, 253_402_300_799_000)), (millis) => DateTime.makeUnsafe(millis))
const text = Arbitrary.schema(Schema.String)
const maybeText = Arbitrary.schema(Schema.NullOr(Schema.String))
const nullOr = <A>(some: Arbitrary.Arbitrary<A>) => oneOf(some, Arbitrary.Constant(null))
const Scalar = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
const Key = Schema.Union([Schema.Literals(reserved), matching(/^[A-Za-z0-9_]{1,8}$/)])
const Members = Schema.Array(Schema.Tuple([Key, Schema.Union([Scalar, Schema.Array(Scalar)])]))
const custom = Arbitrary.map(Arbitrary.schema(Members), (members) => Object.fromEntries(members))

const user: Arbitrary.Arbitrary<User> = Arbitrary.all({
  id: id("user"),
  realmId: id("realm"),
  userType: Arbitrary.schema(Schema.Literals(["human", "api"])),
  state: Arbitrary.Constant("active"),
  email: maybeText,
  emailPending: maybeText,
  emailVerification: Arbitrary.schema(Schema.Literals(["none", "requested", "verified"])),
  provedEmail: maybeText,
  username: maybeText,
  firstName: maybeText,
  lastName: maybeText,
  name: text,
  locale: maybeText,
  reference: maybeText,
  custom,
  createdAt: time,
  lastLoginAt: Arbitrary.Constant(null),
  deletionAt: Arbitrary.Constant(null)
})

const org = Arbitrary.all({
  id: id("org"),
  realmId: id("realm"),
  state: Arbitrary.Constant("active"),
  name: text,
  reference: maybeText,
  custom,
  createdAt: time
})

const membership: Arbitrary.Arbitrary<LinkedMembership> = Arbitrary.all({
  id: id("membership"),
  realmId: id("realm"),
  userId: id("user"),
  permissions: Arbitrary.schema(Schema.Array(Schema.String)),
  custom,
  createdAt: time,
  expiresAt: nullOr(time),
  org: nullOr(org)
}).pipe(Arbitrary.map((made) => ({ ...made, orgId: made.org?.id ?? null, user: null })))

const realm: Arbitrary.Arbitrary<Realm> = Arbitrary.all({
  id: id("realm"),
  jwtFields: Arbitrary.schema(Schema.Array(Schema.Literals(jwtFields)).check(Schema.isUnique())),
  jwtClaims: Arbitrary.schema(Schema.Literals(["v2", "both"])),
  createdAt: time
}).pipe(Arbitrary.map((made) => ({ ...defaultSettings("v2"), name: "Realm", pendingReset: null, ...made })))

const subject: Arbitrary.Arbitrary<TokenSubject> = Arbitrary.all({
  issuer: Arbitrary.map(Arbitrary.schema(Schema.URL), ({ href }) => href),
  realm,
  sessionId: id("session"),
  user,
  memberships: Arbitrary.array(membership, { maxLength: 3 }),
  selects: Arbitrary.schema(Schema.Boolean),
  authentication: nullOr(
    Arbitrary.all({
      at: time,
      methods: Arbitrary.schema(Schema.Array(Schema.Literals(authenticationMethods)).check(Schema.isMinLength(1)))
    })
  ),
  issuedAt: time,
  expiresAt: nullOr(time)
}).pipe(
  Arbitrary.map(({ selects, ...made }) => ({
    ...made,
    selectedOrgId: selects ? (made.memberships[0]?.orgId ?? "org_elsewhere") : null
  }))
)

const withRealmSettings = (asked: TokenSubject, settings: Partial<Realm>): TokenSubject => ({
  ...asked,
  realm: { ...asked.realm, ...settings }
})

/** The same subject with all its custom attributes replaced. */
const withCustom = (asked: TokenSubject, other: User["custom"]): TokenSubject => ({
  ...asked,
  user: { ...asked.user, custom: other },
  memberships: asked.memberships.map((one) => ({
    ...one,
    custom: other,
    org: one.org === null ? null : { ...one.org, custom: other }
  }))
})

/** The claims as a verifier reads them. */
const read = (asked: TokenSubject): unknown => JSON.parse(JSON.stringify(buildClaims(asked)))

/** The claims without the members for custom attributes. */
const outsideCustom = (asked: TokenSubject): unknown =>
  JSON.parse(JSON.stringify(buildClaims(asked)), (name, value) => (name === "cs" || name === "ocs" ? undefined : value))

describe("the claims of a login token", () => {
  it.prop(
    "CVE-2024-29892: are never overwritten by custom attributes of any name",
    [subject, custom],
    ([asked, other]) => {
      expect(outsideCustom(withCustom(asked, other))).toEqual(outsideCustom(withCustom(asked, {})))
      const claims = buildClaims(withCustom(asked, other))
      expect(Object.keys(claims).filter((name) => ![...v2Names, ...v2More, ...v1Names].includes(name))).toEqual([])
    }
  )

  it.prop(
    "contain all custom attributes if the realm enables them, and otherwise no custom attributes",
    [subject, custom],
    ([asked, other]) => {
      const shown = read(withRealmSettings(withCustom(asked, other), { jwtFields: ["custom", "memberships", "orgs"] }))
      expect(shown).toMatchObject({ cs: JSON.parse(JSON.stringify(other)) })
      const hidden = JSON.stringify(read(withRealmSettings(asked, { jwtFields: ["memberships", "orgs"] })))
      expect(JSON.parse(hidden)).toEqual(
        outsideCustom(withRealmSettings(asked, { jwtFields: ["memberships", "orgs"] }))
      )
    }
  )

  it("have no names in common between v1 and v2", () => {
    expect([...v2Names, ...v2More].filter((name) => v1Names.includes(name))).toEqual([])
  })

  it.prop("include both v1 and v2 claims if the realm uses both versions", [subject], ([asked]) => {
    const v2 = buildClaims(withRealmSettings(asked, { jwtClaims: "v2" }))
    const both = buildClaims(withRealmSettings(asked, { jwtClaims: "both" }))
    expect(both).toMatchObject(v2)
    const added = Object.keys(both).filter((name) => !(name in v2))
    expect(added).toEqual(v1Names.filter((name) => name !== "m" || "orgs" in v2))
  })

  it.prop("have exp only if the session expires, and never later than the session", [subject], ([asked]) => {
    const { iat, exp } = buildClaims(asked)
    const floor = (at: DateTime.Utc) => Math.floor(at.epochMilliseconds / 1000)
    expect(iat).toBe(floor(asked.issuedAt))
    expect(exp).toBe(asked.expiresAt === null ? undefined : floor(asked.expiresAt))
  })

  it.prop(
    "have orgs if the realm enables them or the user selected an org, and mark only the selected org",
    [subject],
    ([asked]) => {
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
    }
  )
})
