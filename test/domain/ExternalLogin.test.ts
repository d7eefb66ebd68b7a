import { DateTime } from "effect"
import { describe, expect, test } from "vitest"
import { decideExternalLogin, type ProfileMatches } from "#domain/ExternalLogin"
import { encodeId } from "#domain/Ids"
import type { User } from "#domain/User"

const at = DateTime.makeUnsafe(0)

const userWith = (attributes: Partial<User>): User => ({
  id: encodeId("user", { millis: 1, random: [0, 0] }),
  realmId: encodeId("realm", { millis: 1, random: [0, 0] }),
  userType: "human",
  state: "active",
  email: "jo@example.test",
  emailPending: null,
  emailVerification: "none",
  provedEmail: null,
  username: null,
  firstName: null,
  lastName: null,
  name: "jo",
  locale: null,
  reference: null,
  custom: {},
  createdAt: at,
  lastLoginAt: null,
  deletionAt: null,
  ...attributes
})

const nobody: ProfileMatches = { linked: undefined, byEmail: undefined, hasOtherProfile: false, takesOver: false }
const verified = { email: "jo@example.test", emailVerified: true }
const unverified = { ...verified, emailVerified: false }
const silent = { email: null, emailVerified: false }

const everyUser = (["human", "api"] as const).flatMap((userType) =>
  (["active", "inactive"] as const).flatMap((state) =>
    (["none", "requested", "verified"] as const).map((emailVerification) =>
      userWith({ userType, state, emailVerification })
    )
  )
)

const everyMatch = [undefined, ...everyUser].flatMap((linked) =>
  [undefined, ...everyUser].flatMap((byEmail) =>
    [true, false].flatMap((hasOtherProfile) =>
      [true, false].map((takesOver) => ({ linked, byEmail, hasOtherProfile, takesOver }))
    )
  )
)

describe("the user for a profile from a provider", () => {
  test("is always an active human, and never found by an unverified email (SEC-55)", () => {
    for (const known of everyMatch) {
      for (const profile of [verified, unverified, silent]) {
        const decision = decideExternalLogin(profile, known)
        if (decision._tag === "LogsIn" || decision._tag === "Links") {
          expect([decision.user.userType, decision.user.state]).toEqual(["human", "active"])
        }
        if (decision._tag === "LogsIn") expect(decision.user).toBe(known.linked)
        if (decision._tag === "Links") {
          expect([decision.user, profile.emailVerified, known.linked]).toEqual([known.byEmail, true, undefined])
          expect(known.hasOtherProfile && !known.takesOver).toBe(false)
        }
        if (decision._tag === "Creates") expect([known.linked, known.byEmail]).toEqual([undefined, undefined])
      }
    }
  })

  test.each([
    [
      "is rejected if the profile has no email and no user matches",
      silent,
      nobody,
      { _tag: "Refuses", why: "email_missing" }
    ],
    ["is created if nobody has the email", unverified, nobody, { _tag: "Creates", email: "jo@example.test" }],
    [
      "is rejected if the email belongs to a user but is unverified",
      unverified,
      { ...nobody, byEmail: userWith({}) },
      { why: "email_unverified" }
    ],
    [
      "is rejected if the user with the email has another profile there",
      verified,
      { ...nobody, byEmail: userWith({ emailVerification: "verified" }), hasOtherProfile: true },
      { why: "another_profile" }
    ]
  ] as const)("%s", (_, profile, known, expected) => {
    expect(decideExternalLogin(profile, known)).toMatchObject(expected)
  })
})
