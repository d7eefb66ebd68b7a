import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, DateTime, Schema } from "effect"
import { encodeId } from "#domain/Ids"
import { displayName, emailVerifications, nameSortKeys, type User, type UserAttributes, userStates } from "#domain/User"
import { decideUserChange } from "#domain/UserChange"
import { parseUserInput } from "#domain/UserInput"
import { integer, matching } from "../support/arbitraries.ts"

const now = DateTime.makeUnsafe(1_767_225_600_000)
const bits = { millis: now.epochMilliseconds, random: [1, 1] } as const

const user = (attributes: Partial<User> = {}): User => {
  const named = { firstName: null, lastName: null, username: null, email: "jo@example.test", ...attributes }
  return {
    id: encodeId("user", bits),
    realmId: encodeId("realm", bits),
    userType: "human",
    state: "active",
    emailPending: null,
    emailVerification: "none",
    provedEmail: null,
    locale: null,
    reference: null,
    custom: {},
    createdAt: now,
    lastLoginAt: null,
    deletionAt: null,
    ...attributes,
    ...named,
    name: displayName(named)
  }
}

const Word = matching(/^[a-zA-Z ]{0,8}[a-zA-Z]$/)
const MaybeWord = Schema.NullOr(Word)
const Named = Schema.Struct({ firstName: MaybeWord, lastName: MaybeWord, username: MaybeWord })
const FullName = Schema.Struct({ firstName: Word, lastName: Word })
const Email = matching(/^[a-z]{1,8}@[a-z]{1,8}\.test$/)
const Custom = Schema.Record(
  matching(/^[a-z_]{1,5}$/),
  Schema.Union([Word, integer(-(2 ** 31), 2 ** 31 - 1), Schema.Array(Word)])
)

const attributes = Arbitrary.schema(
  Schema.Struct({
    state: Schema.optionalKey(Schema.Literals(userStates)),
    email: Schema.optionalKey(Email),
    emailPending: Schema.optionalKey(Schema.NullOr(Email)),
    emailVerification: Schema.optionalKey(Schema.Literals(emailVerifications)),
    username: Schema.optionalKey(MaybeWord),
    firstName: Schema.optionalKey(MaybeWord),
    lastName: Schema.optionalKey(MaybeWord),
    locale: Schema.optionalKey(MaybeWord),
    reference: Schema.optionalKey(MaybeWord),
    custom: Schema.optionalKey(Custom)
  })
) satisfies Arbitrary.Arbitrary<UserAttributes>

const anyUser = Arbitrary.map(attributes, (some) => user(some))

describe("the name of a user", () => {
  it.each([
    ["is first and last name", { firstName: "Jo", lastName: "Smith", username: "js" }, "Jo Smith"],
    ["is the first name if there is no last name", { firstName: "Jo", username: "js" }, "Jo"],
    ["is the last name if there is no first name", { lastName: "Smith", username: "js" }, "Smith"],
    ["is otherwise the username as typed", { username: "JS" }, "JS"],
    ["is otherwise the local part of the email", {}, "jo"]
  ])("%s", (_, attributes, name) => {
    expect(user(attributes).name).toBe(name)
  })

  it.prop("is never empty", [anyUser], ([{ name }]) => name !== "")

  it.prop(
    "sorts as displayed, ignoring case",
    [Named],
    ([some]) => nameSortKeys(user(some)).name === user(some).name.trim().toLowerCase()
  )

  it.prop(
    "has a name_alt that sorts by last name, then by first name",
    { one: FullName, other: FullName, isRelated: Schema.Boolean },
    ({ one, other, isRelated }) => {
      const key = (text: string) => text.trim().toLowerCase()
      const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)
      // Last names with a common prefix are the hard cases.
      const second = isRelated ? { ...other, lastName: `${one.lastName} ${other.lastName}` } : other
      const byNames =
        compare(key(one.lastName), key(second.lastName)) || compare(key(one.firstName), key(second.firstName))
      expect(compare(nameSortKeys(user(one)).nameAlt, nameSortKeys(user(second)).nameAlt)).toBe(byNames)
    }
  )

  it("has the same name_alt if there is no last name", () => {
    expect(nameSortKeys(user({ firstName: "Jo" })).nameAlt).toBe("jo")
  })
})

describe("user input", () => {
  it("is accepted in canonical form, without changes to missing attributes", () => {
    expect(parseUserInput({})).toEqual({ attributes: {}, problems: [] })
    const typed = { email: " JO@Example.test", username: " Jo ", firstName: " J ", lastName: "\t", reference: " 7 " }
    const taken = { email: "jo@example.test", username: "Jo", firstName: "J", lastName: null, reference: " 7 " }
    expect(parseUserInput(typed)).toEqual({ attributes: taken, problems: [] })
  })

  it("reports all problems at once", () => {
    const typed = { email: "", emailPending: "nobody", username: "a\u0007b", custom: { "a b": 1 } }
    expect(parseUserInput(typed).problems.map(({ field, code }) => [field, code])).toEqual([
      ["email", "blank"],
      ["email_pending", "email_form"],
      ["username", "username_form"],
      ["custom.a b", "custom_key"]
    ])
  })

  it("limits the length of a username in its canonical form too", () => {
    expect(parseUserInput({ username: "ﷺ".repeat(14) }).problems).toEqual([])
    expect(parseUserInput({ username: "ﷺ".repeat(15) }).problems).toEqual([
      { field: "username", code: "too_long", params: { maximum: 255 } }
    ])
  })

  it.prop("is unchanged when parsed again", [attributes], ([some]) => {
    const once = parseUserInput(some)
    expect(once.problems).toEqual([])
    expect(parseUserInput(once.attributes).attributes).toEqual(once.attributes)
  })
})

describe("an update", () => {
  const before = user({ firstName: "Jo", emailVerification: "none", custom: { a: 1, b: [1, "x"] } })
  const verified = user({ emailVerification: "verified", provedEmail: "jo@example.test" })
  const replaced = user({ emailVerification: "verified", provedEmail: "old@example.test" })
  const pending = user({ emailPending: "new@example.test" })
  const away = user({ state: "inactive" })
  const Changed = Schema.Union([Schema.Literals(["password", "api_key"]), Schema.Undefined])

  it.each<[string, User, UserAttributes, typeof Changed.Type, ReadonlyArray<string>, boolean]>([
    ["no attributes", before, {}, undefined, [], false],
    [
      "unchanged attributes",
      before,
      { firstName: "Jo", state: "active", emailVerification: "none" },
      undefined,
      [],
      false
    ],
    ["custom in another order", before, { custom: { b: [1, "x"], a: 1 } }, undefined, [], false],
    ["custom with one key removed", before, { custom: { a: 1 } }, undefined, ["user.updated"], false],
    [
      "custom with an array in another order",
      before,
      { custom: { a: 1, b: ["x", 1] } },
      undefined,
      ["user.updated"],
      false
    ],
    ["another name", before, { firstName: "Al" }, undefined, ["user.updated"], false],
    [
      "the username in a different case",
      user({ username: "jo" }),
      { username: "JO" },
      undefined,
      ["user.updated"],
      false
    ],
    ["a new email", before, { email: "new@example.test" }, undefined, ["user.updated"], false],
    [
      "the email and a request to verify it",
      verified,
      { email: "new@example.test", emailVerification: "requested" },
      undefined,
      ["user.updated", "user.email.verifying"],
      false
    ],
    [
      "a pending email",
      before,
      { emailPending: "new@example.test" },
      undefined,
      ["user.updated", "user.email.updating"],
      false
    ],
    ["the same pending email", pending, { emailPending: "new@example.test" }, undefined, [], false],
    ["the pending email removed", pending, { emailPending: null }, undefined, ["user.updated"], false],
    [
      "verification requested again",
      user({ emailVerification: "requested" }),
      { emailVerification: "requested" },
      undefined,
      ["user.updated", "user.email.verifying"],
      false
    ],
    [
      "a verified email",
      before,
      { emailVerification: "verified" },
      undefined,
      ["user.updated", "user.email.verified"],
      false
    ],
    ["an email that is already verified", verified, { emailVerification: "verified" }, undefined, [], false],
    [
      "a verification of an email that replaced a verified one (SEC-243)",
      replaced,
      { emailVerification: "verified" },
      undefined,
      ["user.updated", "user.email.verified"],
      false
    ],
    [
      "a new email that is sent as verified",
      verified,
      { email: "new@example.test", emailVerification: "verified" },
      undefined,
      ["user.updated", "user.email.verified"],
      false
    ],
    ["the verification removed", verified, { emailVerification: "none" }, undefined, ["user.updated"], false],
    ["state inactive", before, { state: "inactive" }, undefined, ["user.updated"], true],
    ["state inactive as before", away, { state: "inactive" }, undefined, [], false],
    ["state active again", away, { state: "active" }, undefined, ["user.updated"], false],
    ["a password", before, {}, "password", ["user.updated"], true]
  ])("with %s records the expected events", (_, from, given, password, events, endsSessions) => {
    const change = decideUserChange(from, given, password)
    expect({ events: change.events, endsSessions: change.endsSessions }).toEqual({ events, endsSessions })
  })

  it.prop(
    "changes only the given attributes and the name, and a new password clears a pending email (SEC-84)",
    [anyUser, attributes, Changed],
    ([from, given, password]) => {
      const { after } = decideUserChange(from, given, password)
      const changed = { ...from, ...(password === "password" ? { emailPending: null } : {}), ...given }
      const provedEmail = given.emailVerification === "verified" ? changed.email : from.provedEmail
      expect(after).toEqual({ ...changed, provedEmail, name: displayName(changed) })
    }
  )

  it.prop(
    "records no event when repeated, except for attributes that request something each time",
    [anyUser, attributes],
    ([from, given]) => {
      const { after } = decideUserChange(from, given, undefined)
      const again = decideUserChange(after, given, undefined)
      const asks = given.emailVerification === "requested"
      expect(again.events).toEqual(asks ? ["user.updated", "user.email.verifying"] : [])
      expect(again.endsSessions).toBe(false)
    }
  )

  it.prop("records user.updated before any other event", [anyUser, attributes, Changed], ([from, given, password]) => {
    const { events, endsSessions } = decideUserChange(from, given, password)
    expect(new Set(events).size).toBe(events.length)
    expect(events[0] ?? "user.updated").toBe("user.updated")
    if (endsSessions) expect(events).toContain("user.updated")
  })
})
