import { DateTime } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { encodeId } from "#domain/Ids"
import { displayName, emailVerifications, nameSortKeys, type User, type UserAttributes, userStates } from "#domain/User"
import { decideUserChange } from "#domain/UserChange"
import { parseUserInput } from "#domain/UserInput"

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
    locale: null,
    reference: null,
    custom: {},
    createdAt: now,
    lastLoginAt: null,
    ...attributes,
    ...named,
    name: displayName(named)
  }
}

const word = fc.stringMatching(/^[a-zA-Z ]{0,8}[a-zA-Z]$/)
const maybeWord = fc.option(word)
const named = fc.record({ firstName: maybeWord, lastName: maybeWord, username: maybeWord })
const email = fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.test$/)
const custom = fc.dictionary(fc.stringMatching(/^[a-z_]{1,5}$/), fc.oneof(word, fc.integer(), fc.array(word)))

const attributes = fc.record(
  {
    state: fc.constantFrom(...userStates),
    email,
    emailPending: fc.option(email),
    emailVerification: fc.constantFrom(...emailVerifications),
    username: maybeWord,
    firstName: maybeWord,
    lastName: maybeWord,
    locale: maybeWord,
    reference: maybeWord,
    custom
  },
  { requiredKeys: [] }
) satisfies fc.Arbitrary<UserAttributes>

const anyUser = attributes.map((some) => user(some))

describe("the name", () => {
  test.each([
    ["first and last name", { firstName: "Jo", lastName: "Smith", username: "js" }, "Jo Smith"],
    ["the first name where there is no last", { firstName: "Jo", username: "js" }, "Jo"],
    ["the last name where there is no first", { lastName: "Smith", username: "js" }, "Smith"],
    ["else the username, as typed", { username: "JS" }, "JS"],
    ["else what stands before the @ of the e-mail", {}, "jo"]
  ])("is %s", (_, attributes, name) => {
    expect(user(attributes).name).toBe(name)
  })

  test("is always populated", () => {
    fc.assert(fc.property(anyUser, ({ name }) => name !== ""))
  })

  test("name sorts as it reads, whatever the case", () => {
    fc.assert(fc.property(named, (some) => nameSortKeys(user(some)).name === user(some).name.trim().toLowerCase()))
  })

  test("name_alt sorts by last name, then by first name", () => {
    const full = fc.record({ firstName: word, lastName: word })
    const key = (text: string) => text.trim().toLowerCase()
    const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)
    fc.assert(
      fc.property(full, full, fc.boolean(), (one, other, related) => {
        // Last names that begin alike are the hard ones.
        const second = related ? { ...other, lastName: `${one.lastName} ${other.lastName}` } : other
        const byNames =
          compare(key(one.lastName), key(second.lastName)) || compare(key(one.firstName), key(second.firstName))
        expect(compare(nameSortKeys(user(one)).nameAlt, nameSortKeys(user(second)).nameAlt)).toBe(byNames)
      })
    )
  })

  test("name_alt is the name where there is no last name", () => {
    expect(nameSortKeys(user({ firstName: "Jo" })).nameAlt).toBe("jo")
  })
})

describe("what was typed", () => {
  test("is taken in canonical form, and what was not typed is left alone", () => {
    expect(parseUserInput({})).toEqual({ attributes: {}, problems: [] })
    const typed = { email: " JO@Example.test", username: " Jo ", firstName: " J ", lastName: "\t", reference: " 7 " }
    const taken = { email: "jo@example.test", username: "Jo", firstName: "J", lastName: null, reference: " 7 " }
    expect(parseUserInput(typed)).toEqual({ attributes: taken, problems: [] })
  })

  test("every broken rule is told at once", () => {
    const typed = { email: "", emailPending: "nobody", username: "a\u0007b", custom: { "a b": 1 } }
    expect(parseUserInput(typed).problems.map(({ field, code }) => [field, code])).toEqual([
      ["email", "blank"],
      ["email_pending", "email_form"],
      ["username", "username_form"],
      ["custom", "custom_key"]
    ])
  })

  test("a username is bounded in the form that is compared, too", () => {
    expect(parseUserInput({ username: "ﷺ".repeat(14) }).problems).toEqual([])
    expect(parseUserInput({ username: "ﷺ".repeat(15) }).problems).toEqual([
      { field: "username", code: "too_long", params: { maximum: 255 } }
    ])
  })

  test("taking in what was taken in changes nothing", () => {
    fc.assert(
      fc.property(attributes, (some) => {
        const once = parseUserInput(some)
        expect(once.problems).toEqual([])
        expect(parseUserInput(once.attributes).attributes).toEqual(once.attributes)
      })
    )
  })
})

describe("an update", () => {
  const before = user({ firstName: "Jo", emailVerification: "none", custom: { a: 1, b: [1, "x"] } })
  const verified = user({ emailVerification: "verified" })
  const pending = user({ emailPending: "new@example.test" })
  const away = user({ state: "inactive" })
  type Changed = "password" | "api_key" | undefined

  test.each<[string, User, UserAttributes, Changed, ReadonlyArray<string>, boolean]>([
    ["nothing given", before, {}, undefined, [], false],
    ["the same given", before, { firstName: "Jo", state: "active", emailVerification: "none" }, undefined, [], false],
    ["custom in another order", before, { custom: { b: [1, "x"], a: 1 } }, undefined, [], false],
    ["custom with one key less", before, { custom: { a: 1 } }, undefined, ["user.updated"], false],
    [
      "custom with an array in another order",
      before,
      { custom: { a: 1, b: ["x", 1] } },
      undefined,
      ["user.updated"],
      false
    ],
    ["another name", before, { firstName: "Al" }, undefined, ["user.updated"], false],
    ["the username in another case", user({ username: "jo" }), { username: "JO" }, undefined, ["user.updated"], false],
    ["an e-mail", before, { email: "new@example.test" }, undefined, ["user.updated"], false],
    [
      "an e-mail and a request to verify it",
      verified,
      { email: "new@example.test", emailVerification: "requested" },
      undefined,
      ["user.updated", "user.email.verifying"],
      false
    ],
    [
      "a pending e-mail",
      before,
      { emailPending: "new@example.test" },
      undefined,
      ["user.updated", "user.email.updating"],
      false
    ],
    ["the same pending e-mail", pending, { emailPending: "new@example.test" }, undefined, [], false],
    ["no pending e-mail any more", pending, { emailPending: null }, undefined, ["user.updated"], false],
    [
      "verification requested once more",
      user({ emailVerification: "requested" }),
      { emailVerification: "requested" },
      undefined,
      ["user.updated", "user.email.verifying"],
      false
    ],
    ["verified", before, { emailVerification: "verified" }, undefined, ["user.updated", "user.email.verified"], false],
    ["verified already", verified, { emailVerification: "verified" }, undefined, [], false],
    [
      "another e-mail, vouched for",
      verified,
      { email: "new@example.test", emailVerification: "verified" },
      undefined,
      ["user.updated", "user.email.verified"],
      false
    ],
    ["not verified any more", verified, { emailVerification: "none" }, undefined, ["user.updated"], false],
    ["inactive", before, { state: "inactive" }, undefined, ["user.updated"], true],
    ["inactive already", away, { state: "inactive" }, undefined, [], false],
    ["active again", away, { state: "active" }, undefined, ["user.updated"], false],
    ["a password", before, {}, "password", ["user.updated"], true]
  ])("of %s", (_, from, given, password, events, endsSessions) => {
    const change = decideUserChange(from, given, password)
    expect({ events: change.events, endsSessions: change.endsSessions }).toEqual({ events, endsSessions })
  })

  test("changes the given attributes only, and the name with them; with a password no e-mail waits any more (SEC-84)", () => {
    fc.assert(
      fc.property(anyUser, attributes, fc.constantFrom("password", "api_key", undefined), (from, given, password) => {
        const { after } = decideUserChange(from, given, password)
        const changed = { ...from, ...(password === "password" ? { emailPending: null } : {}), ...given }
        expect(after).toEqual({ ...changed, name: displayName(changed) })
      })
    )
  })

  test("a second time is silent, but where each time asks for something new", () => {
    fc.assert(
      fc.property(anyUser, attributes, (from, given) => {
        const { after } = decideUserChange(from, given, undefined)
        const again = decideUserChange(after, given, undefined)
        const asks = given.emailVerification === "requested"
        expect(again.events).toEqual(asks ? ["user.updated", "user.email.verifying"] : [])
        expect(again.endsSessions).toBe(false)
      })
    )
  })

  test("no event without user.updated, and user.updated comes first", () => {
    fc.assert(
      fc.property(anyUser, attributes, fc.constantFrom("password", "api_key", undefined), (from, given, password) => {
        const { events, endsSessions } = decideUserChange(from, given, password)
        expect(new Set(events).size).toBe(events.length)
        expect(events[0] ?? "user.updated").toBe("user.updated")
        if (endsSessions) expect(events).toContain("user.updated")
      })
    )
  })
})
