import { createHash } from "node:crypto"
import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { type GivenRealm, unique } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { query } from "../support/query.ts"
import { ownService, service } from "../support/sallyport.ts"

const now = STARTS_AT / 1000

/** Asks for a key; locked to the realm unless told otherwise. */
const asked = (caller: Api, realmId: string | null, attributes: Readonly<Record<string, unknown>> = {}) =>
  caller.post("/v2/api_keys", { api_key: { name: unique("Key"), level: "read", realm_id: realmId, ...attributes } })

const unlocked = async (level: string) => {
  const { given } = await service()
  return new Api(given.root.transport, (await asked(given.root, null, { level })).string("key"))
}

const keysOf = (caller: Api, version = "v2") =>
  caller.get(`/${version}/api_keys?max_results=1000&direction=desc`).then(({ items }) => items.map(({ id }) => id))

const refused = (realm: GivenRealm, key: string) => new Api(realm.transport, key, realm.id).get("/v2/users")

test.each(["v1", "v2"])("A created key is shown once, and neither list nor get shows it (%s)", async (version) => {
  const { given } = await service()
  const realm = await given.realm()
  const api_key = { name: "Reader", level: "read", realm_id: realm.id, expires_at: now + 60.25 }
  const { result, events } = await realm.seen.during(() => given.root.post(`/${version}/api_keys`, { api_key }))
  expect(result.status).toBe(201)
  const { key, ...shown } = Object(result.body)
  expect(shown).toEqual({
    id: result.id,
    object: "api_key",
    name: "Reader",
    level: "read",
    realm_id: realm.id,
    created_at: now,
    expires_at: now + 60.25,
    last_used_at: null
  })
  expect(result.id).toMatch(/^key_[0-9a-z]{26}$/)
  expect(key).toMatch(new RegExp(`^sk_${result.id.slice(4)}_[0-9A-Za-z]{43}$`))
  expect((await realm.get(`/${version}/api_keys/${result.id}`)).body).toEqual(shown)
  expect((await realm.get(`/${version}/api_keys`)).body).toEqual({ collection: [shown], more_results: false })
  expect(events).toEqual([{ event_type: "api_key.created", api_key_id: result.id }])
})

test("Of a key only its SHA-256 is stored", () =>
  ownService(async ({ given, sql }) => {
    const realm = await given.realm()
    const made = await asked(realm, realm.id)
    const [row] = await query(sql<{ key_digest: Uint8Array }>`select * from api_keys where id = ${made.id}`)
    const digest = createHash("sha256").update(made.string("key")).digest()
    expect(Buffer.from(row?.key_digest ?? []).equals(digest)).toBe(true)
    expect(Object.values(row ?? {})).not.toContain(made.string("key"))
  }))

test("A key is taken as Bearer token or in X-Service-Api-Key", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const key = (await asked(realm, realm.id)).string("key")
  const nobody = new Api(realm.transport, undefined)
  const ask = async (headers: Readonly<Record<string, string>>) =>
    (await nobody.call("GET", "/v2/users", { headers })).status
  expect(await ask({ authorization: `Bearer ${key}` })).toBe(200)
  expect(await ask({ authorization: `bearer ${key}` })).toBe(200)
  expect(await ask({ "X-Service-Api-Key": key })).toBe(200)
  expect(await ask({ authorization: `Bearer ${key}`, "X-Service-Api-Key": key })).toBe(200)
  expect(await ask({ authorization: key })).toBe(401)
  expect(await ask({ authorization: `Basic ${key}` })).toBe(401)
})

test("Two different keys in one call answer 401, whichever of them is good", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const [one, other] = [(await asked(realm, realm.id)).string("key"), (await asked(realm, realm.id)).string("key")]
  for (const [bearer, named] of [
    [one, other],
    [one, "nonsense"],
    ["nonsense", one]
  ] as const) {
    const headers = { authorization: `Bearer ${bearer}`, "X-Service-Api-Key": named }
    const reply = await new Api(realm.transport, undefined).call("GET", "/v2/users", { headers })
    expect([reply.status, reply.errors]).toEqual([401, ["The request contains two different API keys."]])
    expect(reply.headers.get("www-authenticate")).toBe("Bearer")
  }
})

test("What is stored or shown of a key is no key: its id and a part of it answer 401", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const made = await asked(realm, realm.id)
  const key = made.string("key")
  for (const wrong of [made.id, key.slice(0, -1), `${key}A`, key.toLowerCase(), "sk_", `${key}\u0020x`]) {
    expect((await refused(realm, wrong)).status).toBe(401)
  }
})

test("A key expires at its instant", () =>
  ownService(async ({ given, clock }) => {
    const realm = await given.realm()
    const key = (await asked(realm, realm.id, { expires_at: now + 60 })).string("key")
    clock.advance(59_999)
    expect((await refused(realm, key)).status).toBe(200)
    clock.advance(1)
    const reply = await refused(realm, key)
    expect([reply.status, reply.errors]).toEqual([401, ["The API key is not valid."]])
  }))

test("A deleted key is refused at once, and so is a second deletion", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const made = await asked(realm, realm.id)
  const key = made.string("key")
  expect((await refused(realm, key)).status).toBe(200)
  const { result, events } = await realm.seen.during(() => realm.delete(`/v2/api_keys/${made.id}`))
  const deleted = { event_type: "api_key.deleted", api_key_id: made.id }
  expect([result.status, result.text, events]).toEqual([204, "", [deleted]])
  const later = await realm.seen.caused(async () => {
    expect((await refused(realm, key)).status).toBe(401)
    expect((await realm.get(`/v2/api_keys/${made.id}`)).status).toBe(404)
    expect((await realm.delete(`/v2/api_keys/${made.id}`)).status).toBe(404)
  })
  expect(later).toEqual([])
})

test("last_used_at is written at most once a minute", () =>
  ownService(async ({ given, clock }) => {
    const realm = await given.realm()
    const made = await asked(realm, realm.id)
    const lastUsed = async () => (await realm.get(`/v2/api_keys/${made.id}`)).member("last_used_at")
    const use = async () => expect((await refused(realm, made.string("key"))).status).toBe(200)
    expect(await lastUsed()).toBe(null)
    await use()
    await expect.poll(lastUsed).toBe(now)
    clock.advance("59 seconds")
    await use()
    expect(await lastUsed()).toBe(now)
    clock.advance("1 second")
    await use()
    // Had the use a second ago been written, this one would not be.
    await expect.poll(lastUsed).toBe(now + 60)
  }))

test("Nobody creates a key above their own level: 403, and no key", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const locked = await realm.as("admin_realm")
  const tooHigh = await asked(locked, realm.id, { level: "admin_all_realms" })
  expect([tooHigh.status, tooHigh.errors]).toEqual([
    403,
    ["The API key's level is too low. This request requires admin_all_realms."]
  ])
  for (const level of ["read", "write"] as const) {
    expect((await asked(await realm.as(level), realm.id, { level })).status).toBe(403)
  }
  // Those of the three callers.
  expect((await keysOf(realm)).length).toBe(3)
  expect((await asked(locked, realm.id, { level: "admin_realm" })).status).toBe(201)
})

test("A key locked to a realm makes keys of that realm only", async () => {
  const { given } = await service()
  const [realm, other] = [await given.realm(), await given.realm()]
  const locked = await realm.as("admin_realm")
  const unnamed = await locked.post("/v2/api_keys", { api_key: { name: "Mine", level: "read" } })
  expect([unnamed.status, unnamed.member("realm_id")]).toEqual([201, realm.id])
  expect((await asked(locked, other.id)).status).toBe(404)
  expect(await keysOf(other)).toEqual([])
})

test("A key for all realms needs admin_all_realms", async () => {
  const { given } = await service()
  const everywhere = await unlocked("admin_realm")
  const reply = await asked(everywhere, null)
  expect([reply.status, reply.errors]).toEqual([
    403,
    ["The API key's level is too low. This request requires admin_all_realms."]
  ])
  const realm = await given.realm()
  expect((await asked(everywhere, realm.id)).status).toBe(201)
})

test("A key locked to a realm can't have the level of all realms", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const reply = await asked(given.root, realm.id, { level: "admin_all_realms" })
  expect([reply.status, reply.member("error_details", 0, "field")]).toEqual([422, "level"])
  expect(await keysOf(realm)).toEqual([])
})

test.each(["v1", "v2"])("A list of keys shows only those that the caller manages (%s)", async (version) => {
  const { given } = await service()
  const [realm, other] = [await given.realm(), await given.realm()]
  const [mine, theirs] = [(await asked(realm, realm.id)).id, (await asked(other, other.id)).id]
  const forAll = (await asked(given.root, null)).id
  const locked = await keysOf(await realm.as("admin_realm"), version)
  expect([locked.includes(mine), locked.includes(theirs), locked.includes(forAll)]).toEqual([true, false, false])
  const everywhere = await keysOf(await unlocked("admin_realm"), version)
  expect([everywhere.includes(mine), everywhere.includes(theirs), everywhere.includes(forAll)]).toEqual([
    true,
    true,
    false
  ])
  const root = await keysOf(given.root, version)
  expect([root.includes(mine), root.includes(theirs), root.includes(forAll)]).toEqual([true, true, true])
  const caller = await realm.as("admin_realm")
  for (const id of [theirs, forAll]) {
    expect((await caller.get(`/${version}/api_keys/${id}`)).status).toBe(404)
    expect((await caller.delete(`/${version}/api_keys/${id}`)).status).toBe(404)
  }
})

test("A new key needs a name, a known level and an expiry in the future", async () => {
  const { given } = await service()
  const realm = await given.realm()
  for (const [attributes, field] of [
    [{ name: " " }, "name"],
    [{ name: undefined }, "name"],
    [{ level: "root" }, "level"],
    [{ level: undefined }, "level"],
    [{ expires_at: now }, "expires_at"],
    [{ expires_at: now - 1 }, "expires_at"],
    [{ expires_at: "soon" }, "expires_at"]
  ] as const) {
    const reply = await asked(realm, realm.id, attributes)
    expect([attributes, reply.status, reply.member("error_details", 0, "field")]).toEqual([attributes, 422, field])
  }
  expect(await keysOf(realm)).toEqual([])
})

test("A key of a deleted realm is refused at once: 401", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const caller = await realm.as("read")
  expect((await caller.get("/v2/users")).status).toBe(200)
  expect((await given.root.delete(`/v2/realms/${realm.id}`)).status).toBe(202)
  const reply = await caller.get("/v2/users")
  expect([reply.status, reply.errors]).toEqual([401, ["The API key is not valid."]])
  expect((await caller.get(`/v2/realms/${realm.id}`)).status).toBe(401)
  expect((await caller.get("/v2/realms")).status).toBe(401)
})

test("The prefix of the service's headers is configurable", () =>
  ownService(
    async ({ given, transport, key }) => {
      const realm = await given.realm()
      const call = async (headers: Readonly<Record<string, string>>) =>
        (await new Api(transport, undefined).call("GET", "/v2/users", { headers })).status
      expect(await call({ "X-Acme-Api-Key": key, "X-Acme-Realm": realm.id })).toBe(200)
      expect(await call({ "X-Acme-Api-Key": key, "X-Service-Realm": realm.id })).toBe(422)
      expect(await call({ "X-Service-Api-Key": key, "X-Acme-Realm": realm.id })).toBe(401)
      expect((await given.root.get("/v1/realms?page=1")).headers.get("x-acme-ignored")).toBe("page")
    },
    { headerPrefix: "X-Acme" }
  ))
