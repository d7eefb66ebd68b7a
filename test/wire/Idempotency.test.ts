import { hash, randomUUID } from "node:crypto"
import { describe, expect, test } from "vitest"
import { ACCOUNT } from "#domain/Ids"
import type { Api, Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { operations } from "../support/operations.ts"
import { query } from "../support/query.ts"
import { bodyOf } from "../support/resources.ts"
import { isolatedService, ownService, wireService } from "../support/sallyport.ts"

const realmOf = async () => (await wireService()).given.realm()

const newOrg = (name = uniqueText("Org")) => ({ org: { name } })

/** Sends a POST with an Idempotency-Key. */
const send = (caller: Api, path: string, body: unknown, key: string) =>
  caller.post(path, body, { "idempotency-key": key })

const wasReplayed = (reply: Reply) => reply.headers.get("idempotency-replayed")

const orgsOf = async (realm: GivenRealm) => (await realm.get("/v2/orgs?sort=id")).items.map(({ id }) => id)

const keyReused = [422, ["This Idempotency-Key was already used with a different request."]]

describe("a repeated request returns the first response and has no further effect", () => {
  const creations = operations.filter(({ method, operation }) => method === "POST" && operation === "create")

  test.each(creations)("$name", async (operation) => {
    const realm = await realmOf()
    const [key, body] = [randomUUID(), await bodyOf(operation, realm)]
    const first = await send(realm, operation.template, body, key)
    const { result, events } = await realm.seen.during(() => send(realm, operation.template, body, key))
    expect([first.status, wasReplayed(first)]).toEqual([201, null])
    expect([result.status, result.text, wasReplayed(result), events]).toEqual([201, first.text, "true", []])
    expect(result.headers.get("content-type")).toBe(first.headers.get("content-type"))
    expect(result.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"))
  })

  test("creates one object under concurrent requests (RG-02)", async () => {
    const realm = await realmOf()
    const [key, body] = [randomUUID(), newOrg()]
    const attempts = () => Array.from({ length: 8 }, () => send(realm, "/v2/orgs", body, key))
    const { result, events } = await realm.seen.during(() => Promise.all(attempts()))
    const [org_id] = await orgsOf(realm)
    expect(new Set(result.map(({ status, id }) => `${status} ${id}`))).toEqual(new Set([`201 ${org_id}`]))
    expect(result.filter((reply) => wasReplayed(reply) === null).length).toBe(1)
    expect([await orgsOf(realm), events]).toEqual([[org_id], [{ event_type: "org.created", org_id }]])
  })

  test("returns the same error even after its cause is gone", async () => {
    const realm = await realmOf()
    const key = randomUUID()
    const body = { user: { email: `${uniqueText("late")}@example.test`, credentials: [] } }
    const existing = await realm.user(body.user)
    const first = await send(realm, "/v2/users", body, key)
    expect([first.status, first.errors]).toEqual([422, ["Email has already been taken."]])
    await realm.delete(`/v2/users/${existing.id}`)
    const again = await send(realm, "/v2/users", body, key)
    expect([again.status, again.text, wasReplayed(again)]).toEqual([422, first.text, "true"])
    expect((await send(realm, "/v2/users", body, randomUUID())).status).toBe(201)
  })

  test("is processed again if the first response was 400, 401 or 403", async () => {
    const realm = await realmOf()
    const key = randomUUID()
    expect((await send(await realm.as("read"), "/v2/orgs", newOrg(), key)).status).toBe(403)
    expect((await send(realm, "/v2/orgs", "{nonsense", key)).status).toBe(400)
    const reply = await send(realm, "/v2/orgs", newOrg(), key)
    expect([reply.status, wasReplayed(reply)]).toEqual([201, null])
  })
})

describe("an Idempotency-Key reused for a different request returns 422", () => {
  test("with another body", async () => {
    const realm = await realmOf()
    const [key, body] = [randomUUID(), newOrg()]
    const first = await send(realm, "/v2/orgs", body, key)
    const { result, events } = await realm.seen.during(() => send(realm, "/v2/orgs", newOrg(), key))
    expect([result.status, result.errors]).toEqual(keyReused)
    expect([await orgsOf(realm), events]).toEqual([[first.id], []])
    expect((await send(realm, "/v2/orgs", body, key)).text).toBe(first.text)
  })

  test("with the same body for another realm, named by header or query", async () => {
    const { given } = await wireService()
    const [realm, other] = [await given.realm(), await given.realm()]
    const [key, body] = [randomUUID(), newOrg()]
    expect((await send(realm, "/v2/orgs", body, key)).status).toBe(201)
    const replies = [
      await send(other, "/v2/orgs", body, key),
      await send(given.root, `/v2/orgs?realm_id=${other.id}`, body, key)
    ]
    for (const { status, errors } of replies) expect([status, errors]).toEqual(keyReused)
    expect(await orgsOf(other)).toEqual([])
  })
})

test("an Idempotency-Key on another path or from another API key is a separate request", async () => {
  const realm = await realmOf()
  const [one, other] = [await realm.as("write"), await realm.as("admin_realm")]
  const [key, body] = [randomUUID(), newOrg()]
  const first = await send(one, "/v2/orgs", body, key)
  const second = await send(other, "/v2/orgs", body, key)
  expect([first.status, second.status, wasReplayed(second)]).toEqual([201, 201, null])
  expect(await orgsOf(realm)).toEqual([first.id, second.id])
  const user = { user: { email: `${uniqueText("user")}@example.test`, credentials: [] } }
  expect((await send(one, "/v2/users", user, key)).status).toBe(201)
})

test("stored responses expire after 24 hours", () =>
  ownService(async ({ given, clock }) => {
    const realm = await given.realm()
    const [key, body] = [randomUUID(), newOrg()]
    const first = await send(realm, "/v2/orgs", body, key)
    clock.advance(24 * 3_600_000 - 1)
    expect((await send(realm, "/v2/orgs", body, key)).id).toBe(first.id)
    clock.advance(1)
    const later = await send(realm, "/v2/orgs", body, key)
    expect([later.status, wasReplayed(later)]).toEqual([201, null])
    expect(await orgsOf(realm)).toEqual([first.id, later.id])
    // An expired key may be reused for any request.
    clock.advance("24 hours")
    expect((await send(realm, "/v2/orgs", newOrg(), key)).status).toBe(201)
  }))

test("stored responses are encrypted", () =>
  isolatedService(async ({ given, sql }) => {
    const realm = await given.realm()
    const body = { api_key: { name: "Canary", level: "read", realm_id: realm.id } }
    const created = await send(realm, "/v2/api_keys", body, randomUUID())
    const rows = await query(sql`select * from idempotent_requests`)
    expect(rows.length).toBe(1)
    expect(JSON.stringify(rows)).not.toContain(created.string("key"))
    expect(JSON.stringify(rows)).not.toContain(created.id)
    expect(JSON.stringify(rows)).not.toContain("Canary")
  }))

describe("a replay of a stored response", () => {
  test("returns 401 if the API key was deleted", async () => {
    const realm = await realmOf()
    const caller = await realm.as("write")
    const [key, body] = [randomUUID(), newOrg()]
    expect((await send(caller, "/v2/orgs", body, key)).status).toBe(201)
    const [{ id } = {}] = (await realm.get("/v2/api_keys")).items
    expect((await realm.delete(`/v2/api_keys/${id}`)).status).toBe(204)
    expect((await send(caller, "/v2/orgs", body, key)).status).toBe(401)
  })

  test("returns 404 if the realm was deleted", async () => {
    const { given } = await wireService()
    const realm = await given.realm()
    const [key, body] = [randomUUID(), newOrg()]
    expect((await send(realm, "/v2/orgs", body, key)).status).toBe(201)
    await given.root.delete(`/v2/realms/${realm.id}`)
    expect((await send(realm, "/v2/orgs", body, key)).status).toBe(404)
  })

  test("returns 403 for a key whose level is too low, even if another key sent the first request", async () => {
    const realm = await realmOf()
    const [key, body] = [randomUUID(), newOrg()]
    expect((await send(realm, "/v2/orgs", body, key)).status).toBe(201)
    expect((await send(await realm.as("read"), "/v2/orgs", body, key)).status).toBe(403)
  })
})

test.each([
  "",
  " ",
  "two words",
  "x".repeat(256),
  "\u00c3\u00bc",
  "tab\tkey"
])("a malformed Idempotency-Key returns 422: %j", async (key) => {
  const realm = await realmOf()
  const { result, events } = await realm.seen.during(() => send(realm, "/v2/orgs", newOrg(), key))
  expect([result.status, result.errors]).toEqual([422, ["Idempotency-Key must be 1 to 255 visible characters."]])
  expect([events, await orgsOf(realm)]).toEqual([[], []])
})

test("an Idempotency-Key of the maximum length is accepted", async () => {
  const realm = await realmOf()
  const [key, body] = [`${uniqueText("k")}${"~".repeat(240)}`, newOrg()]
  const ids = [(await send(realm, "/v2/orgs", body, key)).id, (await send(realm, "/v2/orgs", body, key)).id]
  expect(new Set(ids).size).toBe(1)
})

test("an Idempotency-Key is ignored with other methods", async () => {
  const realm = await realmOf()
  const { id } = await realm.org()
  const headers = { "idempotency-key": randomUUID() }
  const rename = (name: string) => realm.call("PUT", `/v2/orgs/${id}`, { body: { org: { name } }, headers })
  expect([(await rename("One")).member("name"), (await rename("Two")).member("name")]).toEqual(["One", "Two"])
  expect((await realm.call("GET", `/v2/orgs/${id}`, { headers })).member("name")).toBe("Two")
})

test("SEC-96: a database dump does not allow guessing Idempotency-Keys or passwords in requests", () =>
  isolatedService(async ({ given, sql }) => {
    const realm = await given.realm()
    const [key, path, body] = [
      "order-1",
      "/v2/users",
      { user: { email: "jo@example.test", password: "seven purple elephants" } }
    ]
    expect((await send(realm, path, body, key)).status).toBe(201)
    const [row] = await query(
      sql<{ readonly key_digest: Uint8Array; readonly request_digest: Uint8Array }>`select * from idempotent_requests`
    )
    const sent = JSON.stringify(body)
    const asked = JSON.stringify(["", realm.id, sent])
    const plain = (...texts: ReadonlyArray<string>) =>
      [JSON.stringify(texts), texts.join(""), texts.join("\0")].map((text) => hash("sha256", text, "hex"))
    const guesses = [
      ...plain(path, key),
      ...plain(key),
      ...plain(key, asked),
      ...plain(key, sent),
      ...plain(asked),
      ...plain(sent)
    ]
    for (const digest of [row?.key_digest, row?.request_digest]) {
      expect(digest).toHaveLength(32)
      expect(guesses).not.toContain(Buffer.from(digest ?? []).toString("hex"))
    }
    // The pepper of the digests is encrypted.
    const peppers = await query(
      sql<{ readonly secret: string }>`select secret from api_key_peppers where realm_id = ${ACCOUNT}`
    )
    expect(peppers).toEqual([{ secret: expect.stringMatching(/^v1\.[0-9a-f]{8}\./) }])
  }))

test("SEC-104: a tampered stored response returns 409 without processing the request again", () =>
  isolatedService(async ({ given, sql }) => {
    const realm = await given.realm()
    const [key, body] = [randomUUID(), newOrg()]
    expect((await send(realm, "/v2/orgs", body, key)).status).toBe(201)
    await query(sql`update idempotent_requests set answer = answer || 'x'`)
    const { result, events } = await realm.seen.during(() => send(realm, "/v2/orgs", body, key))
    expect([result.status, result.errors, events]).toEqual([
      409,
      [
        "This request was already processed, but its response can no longer be read. Check what it did before sending it again with another Idempotency-Key."
      ],
      []
    ])
  }))
