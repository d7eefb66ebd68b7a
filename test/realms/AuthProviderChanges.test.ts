import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { newRealm } from "../support/sallyport.ts"

const path = "/v2/auth_providers"

type Attributes = Readonly<Record<string, unknown>>

const change = (realm: GivenRealm, name: string, auth_provider: Attributes, version = "v2") =>
  realm.seen.during(() => realm.put(`/${version}/auth_providers/${name}`, { auth_provider }))

const updatedEvent = ({ id }: Reply) => [{ event_type: "auth_provider.updated", auth_provider_id: id }]

const errorOf = ({ status, errors }: Reply) => ({ status, errors })

describe("the password provider", () => {
  test.each(["v1", "v2"])("changes its settings by ID or by type (%s)", async (version) => {
    const realm = await newRealm()
    const before = await realm.get(`${path}/password`)
    for (const [name, changes] of [
      ["password", { min_length: 12 }],
      [before.id, { preset: "nist" }],
      ["password", { required_chars: ["digit"] }],
      [before.id, { state: "inactive", min_length: 512 }],
      ["password", { state: "active", min_length: 8, preset: "none", required_chars: [] }]
    ] as const) {
      const { result, events } = await change(realm, name, changes, version)
      expect([result.status, result.body]).toEqual([200, expect.objectContaining(changes)])
      expect(events).toEqual(updatedEvent(before))
    }
    expect((await realm.get(`${path}/password`)).body).toEqual(before.body)
  })

  test("records no event for an update without changes", async () => {
    const realm = await newRealm()
    await change(realm, "password", { required_chars: ["symbol", "lower"] })
    const before = await realm.get(`${path}/password`)
    for (const same of [
      {},
      { min_length: 8 },
      { state: "active", preset: "none" },
      { required_chars: ["lower", "symbol"] },
      { required_chars: ["symbol", "lower", "symbol"] }
    ]) {
      const { result, events } = await change(realm, "password", same)
      expect([result.status, result.body, events]).toEqual([200, before.body, []])
    }
    expect(before.member("required_chars")).toEqual(["lower", "symbol"])
  })

  test("resets a setting to its default when the setting is set to null", async () => {
    const realm = await newRealm()
    const first = await realm.get(`${path}/password`)
    await change(realm, "password", { min_length: 20, preset: "nist", required_chars: ["upper"] })
    const { result, events } = await change(realm, "password", { min_length: null, preset: null, required_chars: null })
    expect([result.status, result.body, events]).toEqual([200, first.body, updatedEvent(first)])
  })

  test("rejects values that are out of range or of the wrong type", async () => {
    const realm = await newRealm()
    const before = await realm.get(`${path}/password`)
    const range = "Min length must be between 8 and 512."
    for (const [wrong, error] of [
      [{ min_length: 7 }, range],
      [{ min_length: 513 }, range],
      [{ min_length: -1 }, range],
      [{ min_length: 1e15 }, range],
      [{ min_length: 8.5 }, "Min length must be a whole number."],
      [{ min_length: "many" }, "Min length must be a whole number."],
      [{ preset: "pci" }, "Preset must be one of: none, nist."],
      [{ required_chars: ["lower", "emoji"] }, "Required chars must be one of: lower, upper, digit, symbol."],
      [{ required_chars: { lower: true } }, "Required chars must be a list."],
      [{ state: "closed" }, "State must be one of: active, inactive."]
    ] as const) {
      const { result, events } = await change(realm, "password", { ...wrong })
      expect([errorOf(result), events]).toEqual([{ status: 422, errors: [error] }, []])
    }
    const { result } = await change(realm, "password", { min_length: "x", preset: 1, required_chars: {}, state: [] })
    const fields = [0, 1, 2, 3].map((n) => result.member("error_details", n, "field"))
    expect([result.status, fields.toSorted()]).toEqual([422, ["min_length", "preset", "required_chars", "state"]])
    expect((await realm.get(`${path}/password`)).body).toEqual(before.body)
  })

  test("applies min_length only to passwords set afterward", async () => {
    const realm = await newRealm()
    await change(realm, "password", { min_length: 30 })
    const create = (password: string) =>
      realm.post("/v2/users", { user: { email: `${uniqueText("user")}@example.test`, password } })
    const reply = await create("correct horse battery staple!")
    expect(errorOf(reply)).toEqual({ status: 422, errors: ["Password is too short (minimum is 30 characters)."] })
    expect((await create("correct horse battery staple!!")).status).toBe(201)
  })
})

test("an update of the totp provider changes only the state", async () => {
  const realm = await newRealm()
  const before = await realm.get(`${path}/totp`)
  const { result, events } = await change(realm, "totp", {
    state: "inactive",
    min_length: 3,
    client_id: "x",
    name: "x"
  })
  expect([result.status, result.body]).toEqual([200, { ...Object(before.body), state: "inactive" }])
  expect(events).toEqual(updatedEvent(before))
})

describe("an external provider", () => {
  test("changes only the given members", async () => {
    const realm = await newRealm()
    const provider = await realm.authProvider({ name: "SSO", scopes: ["openid"] })
    let expected = Object(provider.body)
    for (const changes of [
      { name: "Acme" },
      { client_id: "another" },
      { state: "inactive" },
      { state: "active", scopes: ["email", "profile"] },
      { authorization_url: "https://id.example.test/auth", token_url: "https://id.example.test/token" },
      { profile_url: "http://id.example.test/" },
      { id_field: "sub", email_field: "mail", email_verified_field: "verified" },
      { first_name_field: "first", last_name_field: "last", name_field: "name" }
    ]) {
      expected = { ...expected, ...changes }
      const { result, events } = await change(realm, provider.id, changes)
      expect([result.status, result.body, events]).toEqual([200, expected, updatedEvent(provider)])
    }
    expect((await realm.get(`${path}/${provider.id}`)).body).toEqual(expected)
    const none = {
      name: null,
      scopes: null,
      id_field: null,
      email_field: " ",
      email_verified_field: "",
      name_field: null
    }
    const { result } = await change(realm, provider.id, none)
    const blank = { name: null, scopes: [], id_field: "id", email_field: "email", email_verified_field: null }
    expect(result.body).toEqual({ ...expected, ...blank, name_field: null })
  })

  test("records no event for an update without changes", async () => {
    const realm = await newRealm()
    const provider = await realm.authProvider({ name: "SSO", scopes: "openid email", client_secret: "kept" })
    const { id: _id, created_at: _at, ...own } = Object(provider.body)
    for (const same of [
      {},
      own,
      { name: " SSO " },
      { scopes: ["openid", "email", "openid"] },
      { client_secret: "kept" }
    ]) {
      const { result, events } = await change(realm, provider.id, same)
      expect([result.status, result.body, events]).toEqual([200, provider.body, []])
    }
  })

  test("records a change of client_secret only if the value differs, and rejects a blank secret", async () => {
    const realm = await newRealm()
    const provider = await realm.authProvider({ provider_type: "github", client_secret: "first" })
    const { result, events } = await change(realm, "github", { client_secret: "second" })
    expect([result.status, result.body, events]).toEqual([200, provider.body, updatedEvent(provider)])
    expect((await change(realm, "github", { client_secret: "second" })).events).toEqual([])
    expect((await change(realm, "github", { client_secret: "first" })).events).toEqual(updatedEvent(provider))
    for (const client_secret of [null, "", " "]) {
      const refusal = await change(realm, "github", { client_secret })
      expect(errorOf(refusal.result)).toEqual({ status: 422, errors: ["Client secret can't be blank."] })
      expect(refusal.events).toEqual([])
    }
  })

  test("ignores changes of its type and realm, and members of other types", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const provider = await realm.authProvider({ provider_type: "github" })
    for (const ignored of [
      { provider_type: "google" },
      { provider_type: "nonsense" },
      { realm_id: other.id, id: "ap_mine", created_at: 1, object: "user" },
      { min_length: 3, preset: "nist", required_chars: ["digit"] },
      { authorization_url: "javascript:alert(1)", token_url: "", id_field: "sub", name_field: "n".repeat(300) }
    ]) {
      const { result, events } = await change(realm, provider.id, ignored)
      expect([result.status, result.body, events]).toEqual([200, provider.body, []])
    }
    const password = await realm.get(`${path}/password`)
    const { result, events } = await change(realm, "password", { name: "x", client_secret: "", scopes: "\u0000" })
    expect([result.status, result.body, events]).toEqual([200, password.body, []])
  })

  test("applies every one of several concurrent updates", async () => {
    const realm = await newRealm()
    const provider = await realm.authProvider()
    const changes = [{ name: "Acme" }, { client_id: "c" }, { scopes: "a" }, { id_field: "sub" }, { state: "inactive" }]
    const { events } = await realm.seen.during(() =>
      Promise.all(changes.map((auth_provider) => realm.put(`${path}/${provider.id}`, { auth_provider })))
    )
    expect(events).toEqual(changes.flatMap(() => updatedEvent(provider)))
    const kept = { name: "Acme", client_id: "c", scopes: ["a"], id_field: "sub", state: "inactive" }
    expect((await realm.get(`${path}/${provider.id}`)).body).toEqual({ ...Object(provider.body), ...kept })
  })
})

test("stores the caller's request details in the event of a change", async () => {
  const realm = await newRealm()
  const request = { ip: "192.0.2.7", client: "console" }
  await realm.put(`${path}/totp`, { auth_provider: { state: "inactive" }, request })
  expect((await realm.seen.all()).at(-1)).toMatchObject({ event_type: "auth_provider.updated", request })
})
