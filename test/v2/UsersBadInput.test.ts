import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { newRealm } from "../support/sallyport.ts"

const email = () => `${uniqueText("odd")}@example.test`

/** All users and orgs of a realm. */
const contents = async (realm: GivenRealm) =>
  [await realm.get("/v2/users?expand=custom"), await realm.get("/v2/orgs?expand=custom")].map(({ body }) => body)

/** Sends a body (an object or a text) and asserts that nothing changes. Returns the status and the errors. */
const expectRejected = async (realm: GivenRealm, method: string, path: string, body: unknown) => {
  const before = await contents(realm)
  const { result, events } = await realm.seen.during(() => realm.call(method, path, { body }))
  expect([events, await contents(realm)]).toEqual([[], before])
  return [result.status, result.errors]
}

/** Asserts that attributes are rejected for a new and an existing user, without a change or event. */
const expectAttributesRejected = async (realm: GivenRealm, known: Reply, user: object, sentence: string) => {
  const asNew = { user: { email: email(), credentials: [], ...user } }
  expect(await expectRejected(realm, "POST", "/v2/users", asNew)).toEqual([422, [sentence]])
  expect(await expectRejected(realm, "PUT", `/v2/users/${known.id}`, { user })).toEqual([422, [sentence]])
}

const texts = {
  email: "Email",
  email_pending: "Email pending",
  username: "Username",
  first_name: "First name",
  last_name: "Last name",
  locale: "Locale",
  reference: "Reference",
  password: "Password",
  password_confirmation: "Password confirmation"
}

/** Shortens a value for the title of a test. */
const shortJson = (value: unknown): string => JSON.stringify(value).replace(/^(.{60}).+$/, "$1…")

const namedCases = <A>(cases: ReadonlyArray<readonly [A, string]>) =>
  cases.map(([value, sentence]) => ({ name: shortJson(value), value, sentence }))

const tags = Array.from({ length: 21 }, (_, index) => `tag:${index}`)

describe("a body that can't be read", () => {
  test.each([
    ["an empty body", "", "The request body must contain an object named user."],
    ["malformed JSON", '{"user":', "The request body is not valid JSON."],
    ["JSON with a trailing comma", '{"user":{},}', "The request body is not valid JSON."],
    ["NaN", '{"user":{"custom":{"a":NaN}}}', "The request body is not valid JSON."],
    ["a list", "[]", "The request body is not valid JSON: it must be an object."],
    ["a string", '"user"', "The request body is not valid JSON: it must be an object."],
    ["null", "null", "The request body is not valid JSON: it must be an object."],
    ["a missing wrapper", '{"mail":"jo@example.test"}', "The request body must contain an object named user."],
    ["another wrapper", '{"org":{"name":"Acme"}}', "The request body must contain an object named user."],
    ["a wrapper named __proto__", '{"__proto__":{"user":{}}}', "The request body must contain an object named user."],
    ["a null wrapper", '{"user":null}', "The request body must contain an object named user."],
    ["a list for a wrapper", '{"user":[{}]}', "The request body must contain an object named user."],
    ["a string for a wrapper", '{"user":"usr"}', "The request body must contain an object named user."]
  ])("%s returns 400, changes nothing and records no event", async (_, body, sentence) => {
    const realm = await newRealm()
    const { id } = await realm.user()
    expect(await expectRejected(realm, "POST", "/v2/users", body)).toEqual([400, [sentence]])
    expect(await expectRejected(realm, "PUT", `/v2/users/${id}`, body)).toEqual([400, [sentence]])
  })

  test("a body of more than 256 KiB returns 413, changes nothing and records no event", async () => {
    const realm = await newRealm()
    const { id } = await realm.user()
    const body = { user: { email: email(), password: "x".repeat(1_000_000) } }
    const answer = [413, ["The request body is larger than 256 KiB."]]
    expect(await expectRejected(realm, "POST", "/v2/users", body)).toEqual(answer)
    expect(await expectRejected(realm, "PUT", `/v2/users/${id}`, body)).toEqual(answer)
  })
})

describe("an attribute of the wrong type or size returns 422, changes nothing and records no event", () => {
  test.each(Object.entries(texts))("%s", async (name, called) => {
    const realm = await newRealm()
    const known = await realm.user({ custom: { a: 1 } })
    for (const value of [1, true, [], ["a"], {}, 2 ** 63]) {
      await expectAttributesRejected(realm, known, { [name]: value }, `${called} must be text.`)
    }
    const password = name.startsWith("password")
    for (const value of password ? [] : ["\u0000", "a\u0000b", "\ud800", "a\udc00b"]) {
      await expectAttributesRejected(realm, known, { [name]: value }, `${called} is not valid.`)
    }
    const maximum = name.startsWith("email") ? 1016 : 255
    for (const value of password ? [] : ["x".repeat(maximum + 1), "x".repeat(100_000), "ﷺ".repeat(30_000)]) {
      await expectAttributesRejected(
        realm,
        known,
        { [name]: value },
        `${called} is too long (maximum is ${maximum} characters).`
      )
    }
  })

  const attributes: ReadonlyArray<readonly [object, string]> = [
    [{ password: "x".repeat(513) }, "Password is too long (maximum is 512 characters)."],
    [{ password: "x".repeat(600) }, "Password is too long (maximum is 512 characters)."],
    [{ password: "x".repeat(10_000) }, "Password is too long (maximum is 512 characters)."],
    [{ password: "ﷺ".repeat(60) }, "Password is too long (maximum is 512 characters)."],
    [{ password: "long\u0000enough" }, "Password is not valid."],
    [{ password: "long enough\ud800" }, "Password is not valid."],
    [{ email: "jo" }, "Email is not a valid email address."],
    [{ email: "jo@a@b" }, "Email is not a valid email address."],
    [{ email: "jo@example.test\r\nBcc: al@example.test" }, "Email is not a valid email address."],
    [{ email: `${"x".repeat(254)}@example.test` }, "Email is not a valid email address."],
    [{ email_pending: "jo" }, "Email pending is not a valid email address."],
    [{ username: "a\u0007b" }, "Username contains characters that are not allowed."],
    [{ username: "a\u202eb" }, "Username contains characters that are not allowed."],
    [{ username: "ﷺ".repeat(200) }, "Username is too long (maximum is 255 characters)."],
    [{ state: 1 }, "State must be one of: active, inactive."],
    [{ state: "Active" }, "State must be one of: active, inactive."],
    [{ email_verification: true }, "Email verification must be one of: none, requested, verified."],
    [{ custom: "a" }, "Custom must be an object."],
    [{ custom: 2 ** 63 }, "Custom must be an object."],
    [{ custom: [] }, "Custom must be an object."],
    [
      { custom: { "a b": 1 } },
      'The key "a b" is not allowed in custom attributes. Use only letters, digits and underscores.'
    ],
    [
      { custom: { "": 1 } },
      'The key "" is not allowed in custom attributes. Use only letters, digits and underscores.'
    ],
    [
      { custom: { "\u0000": 1 } },
      'The key "\ufffd" is not allowed in custom attributes. Use only letters, digits and underscores.'
    ],
    [
      { custom: { a: {} } },
      'The custom attribute "a" must be text, a number, true, false, null, or an array of those. Flatten an object, or send it as JSON text.'
    ],
    [
      { custom: { a: [[1]] } },
      'The custom attribute "a" must be text, a number, true, false, null, or an array of those. Flatten an object, or send it as JSON text.'
    ],
    [
      { custom: { a: "\u0000" } },
      'The custom attribute "a" must be text, a number, true, false, null, or an array of those. Flatten an object, or send it as JSON text.'
    ],
    [
      { custom: { a: ["\ud800"] } },
      'The custom attribute "a" must be text, a number, true, false, null, or an array of those. Flatten an object, or send it as JSON text.'
    ],
    [{ custom: { a: "x".repeat(16_384) } }, "Custom is larger than 16 KiB."]
  ]
  test.each(namedCases(attributes))("$name", async ({ value, sentence }) => {
    const realm = await newRealm()
    await expectAttributesRejected(realm, await realm.user(), value, sentence)
  })

  const extras: ReadonlyArray<readonly [object, string]> = [
    [{ permissions: ["a b"] }, "Permissions may contain only letters, digits and * : ; . _ - in each tag."],
    [{ permissions: [""] }, "Permissions may contain only letters, digits and * : ; . _ - in each tag."],
    [{ permissions: "a é" }, "Permissions may contain only letters, digits and * : ; . _ - in each tag."],
    [{ permissions: ["x".repeat(63)] }, "Permissions may contain tags of at most 62 characters."],
    [
      { permissions: ["ar:king", "x:y", "ar:owner", "AR:Queen"] },
      "Permissions can't start with ar:, except for ar:owner and ar:admin. Remove ar:king, AR:Queen."
    ],
    [{ permissions: tags }, "Permissions may contain at most 20 tags."],
    [{ permissions: tags.join(" ") }, "Permissions may contain at most 20 tags."],
    [{ permissions: { a: 1 } }, "Permissions must be a list."],
    [{ permissions: 7 }, "Permissions must be a list."],
    [{ permissions: ["\u0000"] }, "Permissions may contain only letters, digits and * : ; . _ - in each tag."],
    [{ permissions: ["x".repeat(100_000)] }, "Permissions may contain tags of at most 62 characters."],
    [{ org_ids: 7 }, "Org must be a list."],
    [{ org_ids: ["\u0000"] }, "Org could not be found."],
    [{ org_ids: "\ud800" }, "Org could not be found."],
    [{ org: "Acme" }, "Org must be an object."],
    [{ org: [] }, "Org must be an object."],
    [{ org: {} }, "Name can't be blank."],
    [{ org: { name: 7 } }, "Name must be text."],
    [
      { org: { name: "Acme", custom: { "-": 1 } } },
      'The key "-" is not allowed in custom attributes. Use only letters, digits and underscores.'
    ],
    [{ org: { name: "Acme", state: "closed" } }, "Org refers to a closed org."]
  ]
  test.each(namedCases(extras))("an extra parameter of a new user, inside or outside the wrapper: $name", async ({
    value,
    sentence
  }) => {
    const realm = await newRealm()
    const user = { email: email(), credentials: [] }
    for (const body of [{ user: { ...user, ...value } }, { user, ...value }]) {
      expect(await expectRejected(realm, "POST", "/v2/users", body)).toEqual([422, [sentence]])
    }
  })

  const credentials: ReadonlyArray<readonly [unknown, string]> = [
    [{}, "Credentials must be a list."],
    ["password", "Credentials must be a list."],
    [["password"], "Credentials must be an object."],
    [
      [{ credential_type: 7 }],
      "Credential type must be one of: api_key, password, totp, apple, facebook, github, google, linkedin, microsoft, oauth2, oidc, slack, yahoo."
    ],
    [[{ credential_type: "password", password: 7 }], "Password must be text."],
    [[{ credential_type: "password", password: "x".repeat(600) }], "Password is too long (maximum is 512 characters)."],
    [[{ credential_type: "password", password_hash: 7 }], "Password hash must be text."],
    [
      [{ credential_type: "password", password_hash: "x".repeat(2_000) }],
      "Password hash is too long (maximum is 1024 characters)."
    ],
    [
      [
        {
          credential_type: "password",
          password_hash:
            "$argon2id$v=19$m=4194304,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$ZmFrZWZha2VmYWtlZmFrZWZha2VmYWtlZmFrZWZha2U"
        }
      ],
      "Password hash has parameters outside the accepted range: for argon2id, m must be between 8 and 262144."
    ]
  ]
  test.each(namedCases(credentials))("credentials of a new user: $name", async ({ value, sentence }) => {
    const user = { email: email(), credentials: value }
    const answer = await expectRejected(await newRealm(), "POST", "/v2/users", { user })
    expect(answer).toEqual([422, [sentence]])
  })

  test("an org that is unknown, closed, in another realm or not an org", async () => {
    const realm = await newRealm()
    const own = await realm.org()
    const theirs = await (await newRealm()).org()
    const closed = await realm.org({ state: "closed" })
    const { id } = await realm.user()
    for (const stranger of [theirs.id, `${own.id.slice(0, -8)}zzzzzzzz`, id, "x", own.id.toUpperCase()]) {
      for (const org_ids of [stranger, [own.id, stranger]]) {
        const body = { user: { email: email(), credentials: [], org_ids, org: { name: "Acme" } } }
        expect(await expectRejected(realm, "POST", "/v2/users", body)).toEqual([422, ["Org could not be found."]])
      }
    }
    const body = { user: { email: email(), credentials: [], org_ids: [own.id, closed.id] } }
    expect(await expectRejected(realm, "POST", "/v2/users", body)).toEqual([422, ["Org refers to a closed org."]])
    expect((await realm.get(`/v2/memberships?org_id=${own.id}`)).items).toEqual([])
  })

  test("several errors, which are all reported in one response", async () => {
    const realm = await newRealm()
    const user = { email: "jo", username: "a\u0007b", password: "short", custom: { "-": 1 } }
    const [, errors] = await expectRejected(realm, "POST", "/v2/users", { user })
    expect(errors).toHaveLength(4)
    const wrong = { first_name: 1, locale: 2, state: "x" }
    const [, types] = await expectRejected(realm, "POST", "/v2/users", {
      user: { ...wrong, email: "jo@example.test", credentials: [] }
    })
    expect(types).toHaveLength(3)
    const [, both] = await expectRejected(realm, "POST", "/v2/users", { user: wrong })
    expect(both).toEqual([...(Array.isArray(types) ? types : []), "Email can't be blank.", "Password can't be blank."])
  })

  test("SEC-76: a deeply nested value at any position", async () => {
    const realm = await newRealm()
    const nestedLists = `${"[".repeat(50_000)}${"]".repeat(50_000)}`
    const org = `"org":{"name":"Acme","custom":{"a":${nestedLists}}}`
    for (const members of [
      `"first_name":${nestedLists}`,
      `"custom":${nestedLists}`,
      `"custom":{"a":${nestedLists}}`,
      org
    ]) {
      const body = `{"user":{"email":"jo@example.test","credentials":[],${members}}}`
      const [status] = await expectRejected(realm, "POST", "/v2/users", body)
      expect(status).toBe(422)
    }
    const [status] = await expectRejected(
      realm,
      "POST",
      "/v2/users",
      `{"user":{"email":"jo@example.test",${org}},${org}}`
    )
    expect(status).toBe(422)
  })
})
