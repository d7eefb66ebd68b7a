import { createHash } from "node:crypto"
import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { query } from "../support/query.ts"
import { ownService, service } from "../support/sallyport.ts"

const now = STARTS_AT / 1000

/** Creates an API key with level `read`, for one realm or for all realms (null). */
const createKey = (caller: Api, realmId: string | null, attributes: Readonly<Record<string, unknown>> = {}) =>
  caller.post("/v2/api_keys", { api_key: { name: uniqueText("Key"), level: "read", realm_id: realmId, ...attributes } })

const keyForAllRealms = async (level: string) => {
  const { given } = await service()
  return new Api(given.root.transport, (await createKey(given.root, null, { level })).string("key"))
}

const keysOf = (caller: Api, version = "v2") =>
  caller.get(`/${version}/api_keys?max_results=1000&direction=desc`).then(({ items }) => items.map(({ id }) => id))

const listUsersWith = (realm: GivenRealm, key: string) => new Api(realm.transport, key, realm.id).get("/v2/users")

test.each(["v1", "v2"])("a new API key is shown only once (%s)", async (version) => {
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

test("stores only the SHA-256 of an API key", () =>
  ownService(async ({ given, sql }) => {
    const realm = await given.realm()
    const created = await createKey(realm, realm.id)
    const [row] = await query(sql<{ key_digest: Uint8Array }>`select * from api_keys where id = ${created.id}`)
    const digest = createHash("sha256").update(created.string("key")).digest()
    expect(Buffer.from(row?.key_digest ?? []).equals(digest)).toBe(true)
    expect(Object.values(row ?? {})).not.toContain(created.string("key"))
  }))

test("accepts an API key as a Bearer token or in X-Service-Api-Key", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const key = (await createKey(realm, realm.id)).string("key")
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

test("returns 401 for two different API keys in one request, even if one of the keys is valid", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const [one, other] = [
    (await createKey(realm, realm.id)).string("key"),
    (await createKey(realm, realm.id)).string("key")
  ]
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

test("returns 401 for the id of a key and for altered or partial keys", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const created = await createKey(realm, realm.id)
  const key = created.string("key")
  for (const wrong of [created.id, key.slice(0, -1), `${key}A`, key.toLowerCase(), "sk_", `${key}\u0020x`]) {
    expect((await listUsersWith(realm, wrong)).status).toBe(401)
  }
})

test("rejects an expired API key from the moment of its expiry", () =>
  ownService(async ({ given, clock }) => {
    const realm = await given.realm()
    const key = (await createKey(realm, realm.id, { expires_at: now + 60 })).string("key")
    clock.advance(59_999)
    expect((await listUsersWith(realm, key)).status).toBe(200)
    clock.advance(1)
    const reply = await listUsersWith(realm, key)
    expect([reply.status, reply.errors]).toEqual([401, ["The API key is not valid."]])
  }))

test("rejects a deleted API key immediately", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const created = await createKey(realm, realm.id)
  const key = created.string("key")
  expect((await listUsersWith(realm, key)).status).toBe(200)
  const { result, events } = await realm.seen.during(() => realm.delete(`/v2/api_keys/${created.id}`))
  const deleted = { event_type: "api_key.deleted", api_key_id: created.id }
  expect([result.status, result.text, events]).toEqual([204, "", [deleted]])
  const later = await realm.seen.caused(async () => {
    expect((await listUsersWith(realm, key)).status).toBe(401)
    expect((await realm.get(`/v2/api_keys/${created.id}`)).status).toBe(404)
    expect((await realm.delete(`/v2/api_keys/${created.id}`)).status).toBe(404)
  })
  expect(later).toEqual([])
})

test("updates last_used_at at most once a minute", () =>
  ownService(async ({ given, clock }) => {
    const realm = await given.realm()
    const created = await createKey(realm, realm.id)
    const lastUsed = async () => (await realm.get(`/v2/api_keys/${created.id}`)).member("last_used_at")
    const use = async () => expect((await listUsersWith(realm, created.string("key"))).status).toBe(200)
    expect(await lastUsed()).toBe(null)
    await use()
    await expect.poll(lastUsed).toBe(now)
    clock.advance("59 seconds")
    await use()
    expect(await lastUsed()).toBe(now)
    clock.advance("1 second")
    await use()
    // This use is stored only because the use a second ago was not.
    await expect.poll(lastUsed).toBe(now + 60)
  }))

test("returns 403 when creating a key above the caller's own level", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const locked = await realm.as("admin_realm")
  const tooHigh = await createKey(locked, realm.id, { level: "admin_all_realms" })
  expect([tooHigh.status, tooHigh.errors]).toEqual([
    403,
    ["The API key's level is too low. This request requires admin_all_realms."]
  ])
  for (const level of ["read", "write"] as const) {
    expect((await createKey(await realm.as(level), realm.id, { level })).status).toBe(403)
  }
  // The keys of the three callers above.
  expect((await keysOf(realm)).length).toBe(3)
  expect((await createKey(locked, realm.id, { level: "admin_realm" })).status).toBe(201)
})

test("allows a key locked to a realm to create keys only for that realm", async () => {
  const { given } = await service()
  const [realm, other] = [await given.realm(), await given.realm()]
  const locked = await realm.as("admin_realm")
  const unnamed = await locked.post("/v2/api_keys", { api_key: { name: "Mine", level: "read" } })
  expect([unnamed.status, unnamed.member("realm_id")]).toEqual([201, realm.id])
  expect((await createKey(locked, other.id)).status).toBe(404)
  expect(await keysOf(other)).toEqual([])
})

test("requires admin_all_realms to create a key for all realms", async () => {
  const { given } = await service()
  const everywhere = await keyForAllRealms("admin_realm")
  const reply = await createKey(everywhere, null)
  expect([reply.status, reply.errors]).toEqual([
    403,
    ["The API key's level is too low. This request requires admin_all_realms."]
  ])
  const realm = await given.realm()
  expect((await createKey(everywhere, realm.id)).status).toBe(201)
})

test("rejects level admin_all_realms for a key locked to a realm", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const reply = await createKey(given.root, realm.id, { level: "admin_all_realms" })
  expect([reply.status, reply.member("error_details", 0, "field")]).toEqual([422, "level"])
  expect(await keysOf(realm)).toEqual([])
})

test.each(["v1", "v2"])("lists only the API keys that the caller manages (%s)", async (version) => {
  const { given } = await service()
  const [realm, other] = [await given.realm(), await given.realm()]
  const [mine, theirs] = [(await createKey(realm, realm.id)).id, (await createKey(other, other.id)).id]
  const forAll = (await createKey(given.root, null)).id
  const locked = await keysOf(await realm.as("admin_realm"), version)
  expect([locked.includes(mine), locked.includes(theirs), locked.includes(forAll)]).toEqual([true, false, false])
  const everywhere = await keysOf(await keyForAllRealms("admin_realm"), version)
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

test("pages through the keys of all realms in both directions", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const created = [await createKey(realm, realm.id), await createKey(realm, realm.id)]
  const [first = "", second = ""] = created.map(({ id }) => id).sort()
  for (const caller of [given.root, await keyForAllRealms("admin_realm")]) {
    const neighbor = async (id: string, direction: string) =>
      (await caller.get(`/v2/api_keys?after=${id}&direction=${direction}&max_results=1`)).items[0]?.id ?? "none"
    const [next, previous] = [await neighbor(first, "asc"), await neighbor(second, "desc")]
    expect([first < next, next <= second, first <= previous, previous < second]).toEqual([true, true, true, true])
  }
})

test("requires a name, a known level and a future expiry for a new API key", async () => {
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
    const reply = await createKey(realm, realm.id, attributes)
    expect([attributes, reply.status, reply.member("error_details", 0, "field")]).toEqual([attributes, 422, field])
  }
  expect(await keysOf(realm)).toEqual([])
})

test("returns 401 for a key of a deleted realm immediately after the deletion", async () => {
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

test("accepts a custom prefix for the service's headers", () =>
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
