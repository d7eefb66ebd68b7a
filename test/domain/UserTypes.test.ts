import { describe, expect, it } from "@effect/vitest"
import { DateTime } from "effect"
import { encodeId } from "#domain/Ids"
import { nameSortKeys, type User, type UserAttributes, visibleUser } from "#domain/User"
import { decideUserChange } from "#domain/UserChange"
import { parseUserInput, type UserInput, userRulesFor } from "#domain/UserInput"
import { elementOf } from "../support/arbitraries.ts"

const now = DateTime.makeUnsafe(1_767_225_600_000)
const bits = { millis: now.epochMilliseconds, random: [1, 1] } as const

const standard = { usernameValidationHuman: "standard" } as const
const byEmail = { usernameValidationHuman: "email" } as const

const robot: User = {
  id: encodeId("user", bits),
  realmId: encodeId("realm", bits),
  userType: "api",
  state: "active",
  email: null,
  emailPending: null,
  emailVerification: "none",
  provedEmail: null,
  username: "robot",
  firstName: null,
  lastName: null,
  name: "robot",
  locale: null,
  reference: null,
  custom: {},
  createdAt: now,
  lastLoginAt: null,
  deletionAt: null
}

const jo: User = { ...robot, userType: "human", email: "smith@example.test", username: "Jo", name: "Jo" }

const everything: UserInput = {
  state: "inactive",
  email: " OPS@example.test",
  emailPending: "next@example.test",
  emailVerification: "requested",
  username: " Robot ",
  name: " The Robot ",
  firstName: "Ro",
  lastName: "Bot",
  locale: "es",
  reference: "7",
  custom: { a: 1 }
}

describe("the attributes accepted for a user", () => {
  it("depend on the user's type", () => {
    const shared = { state: "inactive", email: "ops@example.test", username: "Robot", reference: "7", custom: { a: 1 } }
    expect(parseUserInput(everything, userRulesFor(standard, "api", true))).toEqual({
      problems: [],
      attributes: { ...shared, name: "The Robot" }
    })
    expect(parseUserInput(everything, userRulesFor(standard, "human", true))).toEqual({
      problems: [],
      attributes: {
        ...shared,
        emailPending: "next@example.test",
        emailVerification: "requested",
        firstName: "Ro",
        lastName: "Bot",
        locale: "es"
      }
    })
  })

  it("exclude a human's username if emails are the usernames, but not an API user's", () => {
    const odd = { username: "a\u0007b" }
    expect(parseUserInput(odd, userRulesFor(byEmail, "human", true))).toEqual({ attributes: {}, problems: [] })
    expect(parseUserInput(odd, userRulesFor(byEmail, "api", true)).problems).toHaveLength(1)
  })

  it.each<["human" | "api", boolean, UserAttributes, ReadonlyArray<string>]>([
    ["human", true, {}, ["username", "email"]],
    ["human", false, { username: null }, ["email"]],
    ["api", true, { email: null }, []]
  ])("may be blank for a %s with a required username (%s), as listed", (userType, required, attributes, wrong) => {
    for (const blank of ["", " ", null]) {
      const accepted = parseUserInput({ username: blank, email: blank }, userRulesFor(standard, userType, required))
      expect(accepted.attributes).toEqual(attributes)
      expect(accepted.problems.map(({ field }) => field).sort()).toEqual([...wrong].sort())
    }
  })
})

describe("the name of an API user", () => {
  it.each<[string, User, UserAttributes, string]>([
    ["is the given name", robot, { name: "The Robot" }, "The Robot"],
    ["is the username if the name is deleted", { ...robot, name: "The Robot" }, { name: null }, "robot"],
    ["follows a changed username if generated", robot, { username: "r2" }, "r2"],
    [
      "stays when the username changes, if it was given",
      { ...robot, name: "The Robot" },
      { username: "r2" },
      "The Robot"
    ],
    [
      "is the new username if the name is deleted at the same time",
      { ...robot, name: "The Robot" },
      { name: null, username: "r2" },
      "r2"
    ]
  ])("%s", (_, before, given, name) => {
    const { after } = decideUserChange(before, given, undefined)
    expect(after.name).toBe(name)
    expect(nameSortKeys(after)).toEqual({ name: name.toLowerCase(), nameAlt: name.toLowerCase() })
  })
})

describe("tokens issued before a change", () => {
  const waiting = { ...jo, emailPending: "next@example.test" }
  it.each<[string, User, UserAttributes, ReadonlyArray<string>]>([
    [
      "stay valid after changes of other attributes",
      jo,
      { firstName: "Jo", emailVerification: "requested", username: "al" },
      []
    ],
    ["stay valid if nothing changes", { ...jo, state: "inactive" }, { state: "inactive", reference: "7" }, []],
    [
      "for resets and verification are void after a change of the email",
      jo,
      { email: "al@x.test" },
      ["password_reset", "email_verification"]
    ],
    [
      "for a pending address are void after a change of that address",
      waiting,
      { emailPending: "al@x.test" },
      ["email_change"]
    ],
    ["for a pending address are void when it is cleared", waiting, { emailPending: null }, ["email_change"]],
    ["stay valid if the same pending address is set again", waiting, { emailPending: "next@example.test" }, []]
  ])("%s", (_, before, given, purposes) => {
    expect(decideUserChange(before, given, undefined).revokedPurposes).toEqual(purposes)
  })
})

describe("a user as displayed by its realm", () => {
  it("has no username if emails are the usernames, and is named by its other attributes", () => {
    expect(visibleUser(standard, jo)).toBe(jo)
    expect(visibleUser(byEmail, jo)).toEqual({ ...jo, username: null, name: "smith" })
    expect(visibleUser(byEmail, { ...jo, firstName: "Joan", name: "Joan" }).name).toBe("Joan")
    expect(visibleUser(byEmail, robot)).toBe(robot)
  })

  it.prop(
    "is unchanged when displayed again",
    [elementOf([standard, byEmail]), elementOf([jo, robot, { ...jo, username: null }])],
    ([realm, user]) => {
      const shown = visibleUser(realm, user)
      expect(visibleUser(realm, shown)).toEqual(shown)
    }
  )
})
