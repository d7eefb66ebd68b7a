import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { uniqueText } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { eventsOfCreation, ownProviders } from "../support/realms.ts"
import { service } from "../support/sallyport.ts"

const versions = ["v1", "v2"] as const

const create = async (attributes: Readonly<Record<string, unknown>> = {}, version = "v1") =>
  (await service()).given.root.post(`/${version}/realms`, { realm: { name: uniqueText("Realm"), ...attributes } })

const update = async (id: string, attributes: Readonly<Record<string, unknown>>, version = "v1") =>
  (await service()).given.root.put(`/${version}/realms/${id}`, { realm: attributes })

/** Creates a realm with the given settings. `caused` returns the result and the events of an action. */
const realmWithEvents = async (attributes: Readonly<Record<string, unknown>> = {}) => {
  const realm = await (await service()).given.realm(attributes)
  return { realm, caused: (action: () => Promise<Reply>) => realm.seen.during(action) }
}

/** Status, field and messages of an error. */
const errorOf = (reply: Reply) => [reply.status, reply.member("error_details", 0, "field"), reply.errors]

describe("Realms: create", () => {
  test("creates a realm in /v1 with the documented defaults and an hs256 key", async () => {
    const reply = await create({ name: "Acme" })
    expect(reply.status).toBe(201)
    const key = reply.string("jwt_key")
    expect(key).toMatch(/^jsk_[0-9A-Za-z]{43}$/)
    expect(reply.body).toEqual({
      id: reply.id,
      object: "realm",
      name: "Acme",
      state: "active",
      reference: null,
      custom: {},
      username_validation_human: "standard",
      require_unique_emails: true,
      api_key_prefix: null,
      api_key_policy: "hash",
      jwt_algo: "hs256",
      jwt_fields: [],
      jwt_key: key,
      jwt_secret: key,
      jwt_claims: "both",
      session_type: "managed",
      session_minutes: 360,
      session_tokens: "all",
      mfa: "optional",
      jwt_max_bytes: 12_000,
      record_unknown_names: false,
      api_key_minutes: 0,
      resource_links: [],
      limits: {},
      event_retention_days: null,
      account_deletion_days: null,
      trusted_devices_days: null,
      passkey_rp_id: null,
      oauth_scopes: [],
      client_registration: "off",
      registration_scopes: [],
      registration_resources: [],
      roles: [],
      environment: "live",
      org_mode: "multi_user",
      signup: "open",
      signup_fields: ["username", "names", "org_name"],
      email_verification: "none",
      default_locale: "en",
      available_locales: ["en"],
      created_at: STARTS_AT / 1000
    })
    expect(reply.id).toMatch(/^rl_[0-9a-z]{26}$/)
  })

  test("stores every setting, and returns it as sent", async () => {
    const sent = {
      name: "Ünïcode Ltd",
      state: "inactive",
      reference: uniqueText("ref"),
      custom: { plan: "gold", seats: [1, 2] },
      username_validation_human: "email",
      require_unique_emails: false,
      api_key_prefix: "acme_",
      api_key_policy: "encrypt",
      jwt_algo: "rs256",
      jwt_fields: ["custom", "memberships"],
      session_type: "unmanaged",
      session_minutes: 0,
      api_key_minutes: 60,
      resource_links: [{ resource: "user", title: "CRM", url: "https://crm.example.test/{{realm_id}}/{{id}}" }]
    }
    const reply = await create(sent)
    expect(reply.body).toMatchObject(sent)
    expect(reply.string("jwt_key")).toMatch(/^-----BEGIN PUBLIC KEY-----/)
    expect((await (await service()).given.root.get(`/v1/realms/${reply.id}`)).body).toEqual(reply.body)
  })

  test.each(versions)("records realm.created and one auth_provider.created per provider (%s)", async (version) => {
    const { given } = await service()
    const { id } = await create({ jwt_algo: "hs256" }, version)
    for (const reader of versions) {
      const events = (await given.root.get(`/${reader}/events?realm_id=${id}`)).items
      expect(events.map(({ event_type }) => event_type)).toEqual(eventsOfCreation)
      expect(new Set(events.slice(1).map(({ auth_provider_id }) => auth_provider_id)).size).toBe(ownProviders.length)
    }
  })

  test("requires a name", async () => {
    for (const name of [undefined, null, "", "  "]) {
      expect(errorOf(await create({ name }))).toEqual([422, "name", ["Name can't be blank."]])
    }
    expect(errorOf(await create({ name: 7 }))).toEqual([422, "name", ["Name must be text."]])
  })
})

describe("Realms: settings", () => {
  const wrong: ReadonlyArray<readonly [field: string, settings: Readonly<Record<string, unknown>>]> = [
    ["session_minutes", { session_minutes: 0 }],
    ["session_minutes", { session_minutes: 527_041 }],
    ["session_minutes", { session_minutes: -1 }],
    ["session_minutes", { session_minutes: 1.5 }],
    ["session_minutes", { session_minutes: 1e300 }],
    ["session_minutes", { session_type: "unmanaged", session_minutes: 1_052_641 }],
    ["session_minutes", { session_type: "unmanaged", session_minutes: -1 }],
    ["record_unknown_names", { record_unknown_names: "maybe" }],
    ["jwt_max_bytes", { jwt_max_bytes: 1_999 }],
    ["jwt_max_bytes", { jwt_max_bytes: 60_001 }],
    ["jwt_max_bytes", { jwt_max_bytes: 2_000.5 }],
    ["api_key_minutes", { api_key_minutes: -1 }],
    ["api_key_minutes", { api_key_minutes: 1_052_641 }],
    ["state", { state: "closed" }],
    ["jwt_algo", { jwt_algo: "none" }],
    ["session_type", { session_type: "eternal" }],
    ["api_key_policy", { api_key_policy: "plain" }],
    ["username_validation_human", { username_validation_human: "any" }],
    ["require_unique_emails", { require_unique_emails: "maybe" }],
    ["custom", { custom: [] }],
    ["custom.a b", { custom: { "a b": 1 } }],
    ["custom.a", { custom: { a: { b: 1 } } }],
    ["resource_links", { resource_links: "https://example.test" }],
    ["resource", { resource_links: [{ resource: "realm", title: "T", url: "https://example.test" }] }],
    ["url", { resource_links: [{ resource: "org", title: "T", url: "javascript:alert(1)" }] }],
    ["title", { resource_links: [{ resource: "org", url: "https://example.test" }] }],
    ["default_locale", { default_locale: "fr", available_locales: ["en"] }]
  ]

  test.each(wrong)("rejects an invalid %s at creation and update: %j", async (field, settings) => {
    expect((await create(settings)).status).toBe(422)
    const { realm, caused } = await realmWithEvents()
    const before = (await realm.get(`/v1/realms/${realm.id}`)).body
    const { result, events } = await caused(() => update(realm.id, settings))
    expect([result.status, result.member("error_details", 0, "field"), events]).toEqual([422, field, []])
    expect((await realm.get(`/v1/realms/${realm.id}`)).body).toEqual(before)
  })

  test("makes default_locale the only available locale at creation unless others are given", async () => {
    expect((await create({ default_locale: "es" })).body).toMatchObject({
      default_locale: "es",
      available_locales: ["es"]
    })
  })

  test("allows orgs in jwt_fields only together with memberships", async () => {
    const { realm, caused } = await realmWithEvents()
    const { result, events } = await caused(() => update(realm.id, { jwt_fields: ["orgs"] }))
    expect(errorOf(result)).toEqual([
      422,
      "jwt_fields",
      ["JWT fields may include orgs only together with memberships."]
    ])
    expect(events).toEqual([])
    const jwt_fields = ["memberships", "orgs"]
    expect((await update(realm.id, { jwt_fields })).member("jwt_fields")).toEqual(jwt_fields)
    expect((await update(realm.id, { jwt_fields: ["passwords"] })).status).toBe(422)
  })

  test.each([
    ["managed", 1],
    ["managed", 527_040],
    ["unmanaged", 0],
    ["unmanaged", 1_052_640]
  ])("in a %s realm, accepts %i session_minutes", async (session_type, session_minutes) => {
    const { realm } = await realmWithEvents()
    const reply = await update(realm.id, { session_type, session_minutes })
    expect([reply.status, reply.member("session_minutes")]).toEqual([200, session_minutes])
  })

  test("validates the stored session_minutes when only session_type changes", async () => {
    const { realm } = await realmWithEvents({ session_type: "unmanaged", session_minutes: 0 })
    const reply = await update(realm.id, { session_type: "managed" })
    expect(errorOf(reply)).toEqual([422, "session_minutes", ["Session minutes must be between 1 and 527040."]])
  })
})

describe("Realms: update", () => {
  test.each(versions)("records realm.updated, and changes only the given settings (%s)", async (version) => {
    const { realm, caused } = await realmWithEvents({ reference: "R-1", custom: { a: 1 } })
    const before = Object((await realm.get(`/${version}/realms/${realm.id}`)).body)
    const { result, events } = await caused(() => update(realm.id, { name: "New name" }, version))
    expect([result.status, result.body]).toEqual([200, { ...before, name: "New name" }])
    expect(events).toEqual([{ event_type: "realm.updated" }])
  })

  test.each(versions)("records no event if nothing changes (%s)", async (version) => {
    const { realm, caused } = await realmWithEvents({ reference: "R-1", custom: { a: [1, "x", null] } })
    const body = Object((await realm.get(`/${version}/realms/${realm.id}`)).body)
    for (const same of [{}, body, { custom: { a: [1, "x", null] } }, { reference: "R-1" }]) {
      const { result, events } = await caused(() => update(realm.id, same, version))
      expect([result.status, result.body, events]).toEqual([200, body, []])
    }
  })

  test("ignores read-only and unknown members", async () => {
    const { realm, caused } = await realmWithEvents()
    const before = (await realm.get(`/v1/realms/${realm.id}`)).body
    const readOnly = { id: "rl_other", object: "user", created_at: 1, jwt_key: "jsk_mine", jwt_secret: "jsk_mine" }
    const { result, events } = await caused(() => update(realm.id, { ...readOnly, deleted_at: 1, nonsense: true }))
    expect([result.status, result.body, events]).toEqual([200, before, []])
  })

  test("clears reference, custom and api_key_prefix when they are set to null", async () => {
    const { realm } = await realmWithEvents({ reference: "R-1", custom: { a: 1 }, api_key_prefix: "p_" })
    const reply = await update(realm.id, { reference: null, custom: null, api_key_prefix: null })
    expect(reply.body).toMatchObject({ reference: null, custom: {}, api_key_prefix: null })
  })

  test("replaces custom as a whole instead of merging it", async () => {
    const { realm } = await realmWithEvents({ custom: { a: 1, b: 2 } })
    expect((await update(realm.id, { custom: { b: 3 } })).member("custom")).toEqual({ b: 3 })
  })

  test("creates a signing key for a new jwt_algo", async () => {
    const { realm, caused } = await realmWithEvents()
    const { result, events } = await caused(() => update(realm.id, { jwt_algo: "rs256" }))
    expect(result.member("jwt_algo")).toBe("rs256")
    expect(result.string("jwt_key")).toMatch(/^-----BEGIN PUBLIC KEY-----/)
    expect(events).toEqual([{ event_type: "realm.updated" }])
    expect((await realm.get(`/realms/${realm.id}/jwks`)).member("keys", "length")).toBe(1)
  })

  test("updates an inactive realm", async () => {
    const { realm } = await realmWithEvents({ state: "inactive" })
    expect((await realm.user()).status).toBe(201)
    expect((await update(realm.id, { state: "active" })).member("state")).toBe("active")
  })
})
