import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { uniqueText } from "#testing/Given"
import { anyCharacter } from "../support/arbitraries.ts"
import { newRealm } from "../support/sallyport.ts"

const email = () => `${uniqueText("any")}@example.test`

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  // Any UTF-16 units, including lone surrogates and NUL.
  fc.array(fc.nat({ max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom("", " ", "\u0000", "\ud800", "null", "%00", "__proto__", "x".repeat(100_000), "ﷺ".repeat(255)),
  // As many different ligatures as a name can contain, for the longest possible sort keys.
  fc.shuffledSubarray(ligatures(), { minLength: 255, maxLength: 255 }).map((some) => some.join(""))
)

/** All characters of one UTF-16 unit that normalize to several characters. */
function ligatures(): Array<string> {
  const all = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code))
  return all.filter((one) => one.isWellFormed() && one.normalize("NFKC").length >= 3)
}

const number = fc.oneof(fc.double(), fc.constantFrom(0, -0, -1, 2 ** 31, 2 ** 53, 2 ** 63, 1e308))

/** Any JSON value, with a preference for unusual values. */
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  number,
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { a: { b: [] } }),
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(text, fc.oneof(text, number), { maxKeys: 3 }),
  fc.jsonValue()
)

const sentences = expect.arrayContaining([expect.stringMatching(/^[A-Z].*\.$/)])

/** Asserts that a response is a success or a client error with messages. */
const expectClearError = (reply: Reply): void => {
  expect(reply.status).toBeLessThan(500)
  if (reply.status < 300) return
  const { errors } = reply
  expect(errors).toEqual(sentences)
  expect(Array.isArray(errors) && errors.every((error) => /^[A-Z].*\.$/s.test(String(error)))).toBe(true)
}

const words = (text: string) => text.split(/\s+/)

const attributes = words(`email email_pending email_verification state username first_name last_name locale reference
  custom password password_confirmation`)
const creationOnly = words("credentials org_ids org permissions")
const readOnly = words("id object created_at last_login_at name memberships constructor toString")

describe("any JSON value is accepted or rejected with clear messages", () => {
  test.each([
    ...attributes,
    ...creationOnly,
    ...readOnly,
    "realm_id",
    "request"
  ])("in %s of a new user", async (member) => {
    const realm = await newRealm()
    const accepted: Array<Reply> = []
    await fc.assert(
      fc.asyncProperty(value, fc.boolean(), async (some, outside) => {
        const user = { email: email(), ...(member === "credentials" ? {} : { credentials: [] }) }
        const body = outside ? { user, [member]: some } : { user: { ...user, [member]: some } }
        const reply = await realm.post("/v2/users", body)
        expectClearError(reply)
        if (reply.status === 201) accepted.push(reply)
      }),
      { numRuns: 25 }
    )
    const users = accepted.map(({ id }) => id)
    expect((await realm.get("/v2/users?sort=id&max_results=1000")).items.map(({ id }) => id)).toEqual(users)
    const events = (await realm.seen.all()).filter((event) =>
      /^(user|org|membership)\./.test(String(event["event_type"]))
    )
    const created = events.filter((event) => event["event_type"] === "user.created").map((event) => event["user_id"])
    expect(created).toEqual(users)
    const orgs = (await realm.get("/v2/orgs?max_results=1000")).items.map(({ id }) => id)
    for (const event of events) {
      const known = event["event_type"] === "org.created" ? orgs : users
      expect(known).toContain(event["event_type"] === "org.created" ? event["org_id"] : event["user_id"])
    }
  })

  test.each([...attributes, "realm_id", "request"])("in %s of an existing user", async (member) => {
    const realm = await newRealm()
    const { id } = await realm.user()
    const read = async () => (await realm.get(`/v2/users/${id}`)).body
    let before = await read()
    await fc.assert(
      fc.asyncProperty(value, async (some) => {
        const { result, events } = await realm.seen.during(() =>
          realm.put(
            `/v2/users/${id}`,
            member === "request" ? { user: {}, request: some } : { user: { [member]: some } }
          )
        )
        expectClearError(result)
        const after = await read()
        if (result.status !== 200) expect([after, events]).toEqual([before, []])
        else expect(result.body).toEqual(after)
        const changed = JSON.stringify(after) !== JSON.stringify(before)
        if (changed) expect(events[0]).toEqual({ event_type: "user.updated", user_id: id })
        before = after
      }),
      { numRuns: 25 }
    )
  })

  test("in several members with any names", async () => {
    const realm = await newRealm()
    const names = fc.oneof(fc.constantFrom(...attributes, ...creationOnly, ...readOnly), text)
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, value, { maxKeys: 6 }), async (user) => {
        const { result, events } = await realm.seen.during(() => realm.post("/v2/users", { user }))
        expectClearError(result)
        if (result.status !== 201) expect(events).toEqual([])
      }),
      { numRuns: 50 }
    )
  })

  test("in the path and the query", async () => {
    const realm = await newRealm()
    const names = fc.constantFrom("email", "reference", "username", "state", "after", "max_results", "sort", "expand")
    await fc.assert(
      fc.asyncProperty(names, text, async (name, some) => {
        const sent = encodeURIComponent(some.slice(0, 500).toWellFormed())
        expectClearError(await realm.get(`/v2/users?${name}=${sent}`))
        for (const method of ["GET", "DELETE"]) expectClearError(await realm.call(method, `/v2/users/${sent}x`))
      }),
      { numRuns: 50 }
    )
  })
})

describe("custom", () => {
  test("SEC-76: stores and returns __proto__ like any other key, without polluting prototypes", async () => {
    const realm = await newRealm()
    const custom = '{"__proto__":"x","constructor":["y"],"toString":null,"a":1}'
    const evil = '"__proto__":{"state":"inactive","first_name":"Evil"}'
    const body = `{"user":{"email":"jo@example.test","credentials":[],"custom":${custom},${evil}},${evil}}`
    const user = await realm.call("POST", "/v2/users", { body })
    expect([user.status, user.member("state"), user.member("first_name")]).toEqual([201, "active", null])
    const path = `/v2/users/${user.id}`
    const session = await realm.session(user.id)
    for (const reply of [user, session, await realm.get(path), await realm.get("/v2/users?expand=custom")]) {
      expect(reply.text).toContain(`"custom":${custom}`)
    }
    expect(Object.keys(Object.prototype)).toEqual([])

    const put = (some: string) => realm.call("PUT", path, { body: `{"user":{"custom":${some}}}` })
    expect(await realm.seen.caused(() => put(custom))).toEqual([])
    const changed = custom.replace('"x"', '"z"')
    const { result, events } = await realm.seen.during(() => put(changed))
    expect(result.text).toContain(`"custom":${changed}`)
    expect(events.map((event) => event["event_type"])).toEqual(["user.updated"])
  })

  test("returns numbers as sent, and rejects numbers that a double would change (C254)", async () => {
    const realm = await newRealm()
    const bodyOf = (custom: string) => `{"user":{"email":"jo@example.test","credentials":[],"custom":${custom}}}`
    for (const number of ["9223372036854775808", "9007199254740993", "1e999"]) {
      const rejected = await realm.call("POST", "/v2/users", { body: bodyOf(`{"a":${number}}`) })
      expect([rejected.status, rejected.errors]).toEqual([
        422,
        ["custom.a has too many digits for a number. Send it as text, in quotes."]
      ])
    }
    const custom = '{"a":9007199254740991,"b":-0.1,"c":1e308,"d":-9007199254740992}'
    const user = await realm.call("POST", "/v2/users", { body: bodyOf(custom) })
    expect(user.member("custom")).toEqual(JSON.parse(custom))
  })
})
