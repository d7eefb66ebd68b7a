import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { query } from "../support/query.ts"
import { isolatedService, ownService, service } from "../support/sallyport.ts"

const versions = ["v1", "v2"] as const

const root = async () => (await service()).given.root

const create = async (attributes: Readonly<Record<string, unknown>> = {}) =>
  (await root()).post("/v2/realms", { realm: { name: uniqueText("Realm"), jwt_algo: "hs256", ...attributes } })

const read = async (id: string, version = "v2") => (await root()).get(`/${version}/realms/${id}`)

const errorOf = (reply: Reply) => [reply.status, reply.member("error_details", 0, "field"), reply.errors]

describe("Realms: create", () => {
  test("creates a realm in /v2 with rs256, v2 claims and the default settings of C18", async () => {
    const reply = await (await root()).post("/v2/realms", { realm: { name: "Acme" } })
    expect(reply.status).toBe(201)
    const key = reply.string("jwt_key")
    expect(key).toMatch(/^-----BEGIN PUBLIC KEY-----/)
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
      jwt_algo: "rs256",
      jwt_scopes: [],
      jwt_key: key,
      jwt_claims: "v2",
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
  })

  test("stores every v2 setting and returns it as sent", async () => {
    const sent = {
      environment: "test",
      org_mode: "single_user",
      signup: "invitation",
      signup_fields: ["names"],
      oauth_scopes: ["notes:read", "notes:write"],
      client_registration: "open",
      registration_scopes: ["notes:read"],
      registration_resources: ["https://mcp.example.com/mcp"],
      roles: [{ name: "Editor", permissions: ["notes:read", "notes:write"] }],
      email_verification: "preverify",
      default_locale: "es",
      available_locales: ["en", "es"],
      jwt_scopes: ["ar.orgs", "ar.custom"],
      jwt_claims: "both",
      trusted_devices_days: 30,
      record_unknown_names: true
    }
    const reply = await create(sent)
    expect(reply.body).toMatchObject(sent)
    expect((await read(reply.id)).body).toEqual(reply.body)
  })

  test.each([
    { environment: "staging" },
    { org_mode: "none" },
    { signup: "maybe" },
    { signup_fields: ["email"] },
    { oauth_scopes: ["openid"] },
    { client_registration: "on" },
    { oauth_scopes: ["notes:read"], registration_scopes: ["notes:write"] },
    { registration_resources: ["/mcp"] },
    { oauth_scopes: ['"'] },
    { oauth_scopes: ["s".repeat(256)] },
    { email_verification: "requested" },
    { jwt_scopes: ["ar.everything"] },
    { jwt_scopes: { "ar.orgs": true } },
    { jwt_claims: "v1" },
    { available_locales: ["es"] }
  ])("rejects an invalid setting: %j", async (settings) => {
    const before = (await (await root()).get("/v2/realms?sort=id&direction=desc&max_results=1")).items
    expect((await create(settings)).status).toBe(422)
    expect((await (await root()).get("/v2/realms?sort=id&direction=desc&max_results=1")).items).toEqual(before)
  })

  test("stores jwt_scopes as the equivalent jwt_fields", async () => {
    for (const [jwt_scopes, jwt_fields] of [
      [["ar.orgs"], ["memberships", "orgs"]],
      [["ar.custom"], ["custom"]],
      [[], []]
    ]) {
      const { id } = await create({ jwt_scopes })
      expect((await read(id, "v1")).member("jwt_fields")).toEqual(jwt_fields)
      expect((await read(id)).member("jwt_scopes")).toEqual(jwt_scopes)
    }
  })

  test("returns 422 above the deployment's maximum number of realms, even under concurrent requests", () =>
    isolatedService(
      async ({ given }) => {
        const ask = () => given.root.post("/v2/realms", { realm: { name: "One more", jwt_algo: "hs256" } })
        const replies = await Promise.all([1, 2, 3, 4, 5, 6].map(ask))
        expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, 422, 422, 422])
        const rejected = replies.find(({ status }) => status === 422)
        expect(rejected?.errors).toEqual(["This deployment is limited to 3 realms."])
        const [first] = (await given.root.get("/v2/realms")).items
        expect((await given.root.delete(`/v2/realms/${first?.["id"]}`)).status).toBe(202)
        expect([(await ask()).status, (await ask()).status]).toEqual([201, 422])
      },
      { maxRealms: 3 }
    ))
})

describe("Realms: list and get", () => {
  test.each(
    versions
  )("list items have id, name, reference, state and object, and custom if expanded (%s)", async (v) => {
    const reference = uniqueText("ref")
    const { id } = await create({ name: "Listed", reference, custom: { a: 1 } })
    const item = { id, object: "realm", name: "Listed", reference, state: "active" }
    const path = `/${v}/realms?reference=${reference}`
    expect((await (await root()).get(path)).body).toEqual({ collection: [item], more_results: false })
    expect((await (await root()).get(`${path}&expand=custom`)).items).toEqual([{ ...item, custom: { a: 1 } }])
  })

  test.each(versions)("lists are sorted by name or id in both directions, and paged (%s)", async (version) => {
    const reference = uniqueText("ref")
    const ids = new Map<string, string>()
    for (const name of ["beta", "Alpha", "gamma"]) ids.set(name, (await create({ name, reference })).id)
    const names = async (query: string) => {
      const reply = await (await root()).get(`/${version}/realms?reference=${reference}${query}`)
      return [...reply.items.map(({ name }) => name), reply.member("more_results")]
    }
    expect(await names("")).toEqual(["Alpha", "beta", "gamma", false])
    expect(await names("&direction=desc")).toEqual(["gamma", "beta", "Alpha", false])
    expect(await names("&sort=id")).toEqual(["beta", "Alpha", "gamma", false])
    expect(await names("&sort=id&direction=desc")).toEqual(["gamma", "Alpha", "beta", false])
    expect(await names("&max_results=2")).toEqual(["Alpha", "beta", true])
    expect(await names(`&after=${ids.get("beta")}`)).toEqual(["gamma", false])
    expect(await names(`&direction=desc&after=${ids.get("beta")}`)).toEqual(["Alpha", false])
    expect(await names(`&sort=id&after=${ids.get("beta")}&max_results=1`)).toEqual(["Alpha", true])
  })

  test("lists are filtered by state", async () => {
    const reference = uniqueText("ref")
    const { id } = await create({ reference, state: "inactive" })
    await create({ reference })
    const inactive = await (await root()).get(`/v2/realms?reference=${reference}&state=inactive`)
    expect(inactive.items.map((item) => item["id"])).toEqual([id])
    const next = await (await root()).get(`/v2/realms?state=active&after=${id}&max_results=1000`)
    expect([next.status, next.items.filter((item) => item["state"] !== "active")]).toEqual([200, []])
  })

  test("a key locked to a realm lists and reads only its own realm", async () => {
    const { given } = await service()
    const [realm, other] = [await given.realm(), await given.realm()]
    const caller = await realm.as("read")
    expect((await caller.get("/v2/realms")).items.map(({ id }) => id)).toEqual([realm.id])
    expect((await caller.get(`/v2/realms/${realm.id}`)).status).toBe(200)
    expect((await caller.get(`/v2/realms/${other.id}`)).status).toBe(404)
  })

  test.each(
    versions
  )("an hs256 jwt_key is shown only from level admin_realm, and an rs256 jwt_key at any level (%s)", async (v) => {
    const { given } = await service()
    const [secret, open] = [await given.realm(), await given.realm({ jwt_algo: "rs256" })]
    const keyFor = async (realm: GivenRealm, level: "read" | "write" | "admin_realm") => {
      const { body } = await (await realm.as(level)).get(`/${v}/realms/${realm.id}`)
      return [Object(body).jwt_key, Object(body).jwt_secret]
    }
    const keyAndSecret = (key: unknown) => [key, v === "v1" ? key : undefined]
    expect(await keyFor(secret, "read")).toEqual(keyAndSecret(null))
    expect(await keyFor(secret, "write")).toEqual(keyAndSecret(null))
    expect(await keyFor(secret, "admin_realm")).toEqual(keyAndSecret(expect.stringMatching(/^jsk_/)))
    expect(await keyFor(open, "read")).toEqual(keyAndSecret(expect.stringMatching(/^-----BEGIN PUBLIC KEY-----/)))
  })
})

describe("Realms: require_unique_emails", () => {
  test("can't be turned on while duplicate emails exist", async () => {
    const { given } = await service()
    const realm = await given.realm({ require_unique_emails: false })
    const email = `${uniqueText("twin")}@example.test`
    const [, second] = [await realm.user({ email }), await realm.user({ email: email.toUpperCase() })]
    const turnOn = () => realm.put(`/v2/realms/${realm.id}`, { realm: { require_unique_emails: true, name: "New" } })
    const { result, events } = await realm.seen.during(turnOn)
    expect(errorOf(result)).toEqual([
      422,
      "require_unique_emails",
      ["Require unique emails can't be turned on while several users share an email."]
    ])
    expect(events).toEqual([])
    expect((await read(realm.id)).body).toMatchObject({ require_unique_emails: false })
    expect((await read(realm.id)).member("name")).not.toBe("New")

    await realm.delete(`/v2/users/${second.id}`)
    expect(await realm.seen.caused(turnOn)).toEqual([{ event_type: "realm.updated" }])
    const third = await realm.post("/v2/users", { user: { email, credentials: [] } })
    expect(errorOf(third)).toEqual([422, "email", ["Email has already been taken."]])
  })

  test("finds no user by an email that several users share while the setting is off", async () => {
    const realm = await (await service()).given.realm({ require_unique_emails: false })
    const email = `${uniqueText("twin")}@example.test`
    const { id } = await realm.user({ email })
    expect((await realm.get(`/v2/users/${email}`)).id).toBe(id)
    await realm.user({ email })
    expect((await realm.get(`/v2/users/${email}`)).status).toBe(404)
    expect((await realm.put(`/v2/users/${email}`, { user: { first_name: "Jo" } })).status).toBe(404)
  })
})

describe("Realms: delete", () => {
  test.each(versions)("returns 202 without a body, and the realm can no longer be found (%s)", async (version) => {
    const { given } = await service()
    const [realm, other] = [await given.realm({ jwt_algo: "rs256" }), await given.realm()]
    const user = await realm.user()
    const session = await realm.session(user.id)
    const org = await realm.org()
    const caller = await realm.as("read")
    const paths = [
      ...versions.map((v) => `/${v}/realms/${realm.id}`),
      `/v2/users/${user.id}`,
      `/v2/orgs/${org.id}`,
      `/v2/sessions/${session.id}`,
      `/v2/users?realm_id=${realm.id}`,
      `/v2/events?realm_id=${realm.id}`,
      `/v2/api_keys?realm_id=${realm.id}`,
      `/v2/realms?after=${realm.id}`,
      `/v2/realms?realm_id=${realm.id}`,
      `/realms/${realm.id}/jwks`,
      `/realms/${realm.id}/.well-known/openid-configuration`
    ]
    for (const path of paths) expect([path, (await given.root.get(path)).status]).toEqual([path, 200])

    const reply = await given.root.delete(`/${version}/realms/${realm.id}`)
    expect([reply.status, reply.text]).toEqual([202, ""])
    for (const path of paths) expect([path, (await given.root.get(path)).status]).toEqual([path, 404])
    expect((await caller.get("/v2/users")).status).toBe(401)
    for (const write of [
      await realm.post("/v2/users", { user: { email: "a@example.test", credentials: [] } }),
      await given.root.put(`/v2/realms/${realm.id}`, { realm: { name: "Back" } }),
      await given.root.delete(`/v2/realms/${realm.id}`),
      await given.root.put(`/v2/users/${user.id}`, { user: { first_name: "Jo" } })
    ]) {
      expect(write.status).toBe(404)
    }
    expect((await other.get(`/v2/realms/${other.id}`)).status).toBe(200)
  })

  test("records realm.deleted but no events for the realm's contents", () =>
    ownService(async ({ given, sql }) => {
      const realm = await given.realm()
      await realm.membership((await realm.user()).id, (await realm.org()).id)
      const before = (await realm.seen.all()).length
      await given.root.delete(`/v2/realms/${realm.id}`)
      const types = sql<{ event_type: string }>`select event_type from events where realm_id = ${realm.id} order by id`
      const recorded = (await query(types)).map(({ event_type }) => event_type)
      expect(recorded.slice(before)).toEqual(["realm.deleted"])
    }))
})
