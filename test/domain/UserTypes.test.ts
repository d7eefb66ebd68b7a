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
  lastLoginAt: null
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

describe("what is taken of a user", () => {
  it("is what its type has", () => {
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

  it("a human's username is left out where e-mails are the usernames, however it is; an api user's is not", () => {
    const odd = { username: "a\u0007b" }
    expect(parseUserInput(odd, userRulesFor(byEmail, "human", true))).toEqual({ attributes: {}, problems: [] })
    expect(parseUserInput(odd, userRulesFor(byEmail, "api", true)).problems).toHaveLength(1)
  })

  it.each<["human" | "api", boolean, UserAttributes, ReadonlyArray<string>]>([
    ["human", true, {}, ["username", "email"]],
    ["human", false, { username: null }, ["email"]],
    ["api", true, { email: null }, []]
  ])("blank texts of a %s, its username required: %s", (userType, required, attributes, wrong) => {
    for (const blank of ["", " ", null]) {
      const accepted = parseUserInput({ username: blank, email: blank }, userRulesFor(standard, userType, required))
      expect(accepted.attributes).toEqual(attributes)
      expect(accepted.problems.map(({ field }) => field).sort()).toEqual([...wrong].sort())
    }
  })
})

describe("the name of an api user", () => {
  it.each<[string, User, UserAttributes, string]>([
    ["given", robot, { name: "The Robot" }, "The Robot"],
    ["deleted", { ...robot, name: "The Robot" }, { name: null }, "robot"],
    ["made, with another username", robot, { username: "r2" }, "r2"],
    ["its own, with another username", { ...robot, name: "The Robot" }, { username: "r2" }, "The Robot"],
    ["deleted, with another username", { ...robot, name: "The Robot" }, { name: null, username: "r2" }, "r2"]
  ])("%s", (_, before, given, name) => {
    const { after } = decideUserChange(before, given, undefined)
    expect(after.name).toBe(name)
    expect(nameSortKeys(after)).toEqual({ name: name.toLowerCase(), nameAlt: name.toLowerCase() })
  })
})

describe("tokens from before", () => {
  const waiting = { ...jo, emailPending: "next@example.test" }
  it.each<[string, User, UserAttributes, ReadonlyArray<string>]>([
    ["stay with any other change", jo, { firstName: "Jo", emailVerification: "requested", username: "al" }, []],
    ["stay when it is none", { ...jo, state: "inactive" }, { state: "inactive", reference: "7" }, []],
    ["of resets and proofs go with the e-mail", jo, { email: "al@x.test" }, ["password_reset", "email_verification"]],
    ["of a pending address go with it", waiting, { emailPending: "al@x.test" }, ["email_change"]],
    ["also when it is cleared", waiting, { emailPending: null }, ["email_change"]],
    ["stay when it is the same", waiting, { emailPending: "next@example.test" }, []]
  ])("%s", (_, before, given, purposes) => {
    expect(decideUserChange(before, given, undefined).revokedPurposes).toEqual(purposes)
  })
})

describe("a user as its realm shows it", () => {
  it("has no username where e-mails are the usernames, and goes by what is left", () => {
    expect(visibleUser(standard, jo)).toBe(jo)
    expect(visibleUser(byEmail, jo)).toEqual({ ...jo, username: null, name: "smith" })
    expect(visibleUser(byEmail, { ...jo, firstName: "Joan", name: "Joan" }).name).toBe("Joan")
    expect(visibleUser(byEmail, robot)).toBe(robot)
  })

  it.prop(
    "shown again it is the same",
    [elementOf([standard, byEmail]), elementOf([jo, robot, { ...jo, username: null }])],
    ([realm, user]) => {
      const shown = visibleUser(realm, user)
      expect(visibleUser(realm, shown)).toEqual(shown)
    }
  )
})
