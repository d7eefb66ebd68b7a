import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { STARTS_AT } from "#testing/TestSallyport"
import { createKey, deleteKey, firstKeyOf, keysOf, newKey, signerOf } from "../support/jwtKeys.ts"
import { unknownIdLike } from "../support/resources.ts"
import { newRealm, service } from "../support/sallyport.ts"

const errorOf = ({ status, errors }: Reply) => ({ status, errors })
const notFound = { status: 404, errors: ["JWT key could not be found."] }
const realmUpdated = [{ event_type: "realm.updated" }]

const idsOf = (reply: Reply) => reply.items.map(({ id }) => id)

const memberNames = ["algo", "created_at", "expired", "id", "key", "object", "realm_id", "use"]

describe.each(["v1", "v2"])("%s", (version) => {
  const path = `/${version}/jwt_keys`

  describe("list", () => {
    test("returns the only key of a new realm, which the realm also shows", async () => {
      const realm = await newRealm()
      const reply = await (await realm.as("admin_realm")).get(path)
      const key = {
        id: expect.stringMatching(/^jky_[0-9a-z]{26}$/),
        object: "jwt_key",
        algo: "hs256",
        expired: false,
        key: (await realm.get(`/v2/realms/${realm.id}`)).string("jwt_key"),
        use: "sign",
        realm_id: realm.id,
        created_at: STARTS_AT / 1000
      }
      expect([reply.status, reply.body]).toEqual([200, { collection: [key], more_results: false }])
    })

    test("returns the newest keys first by default, and pages in both directions", async () => {
      const realm = await newRealm()
      for (let n = 0; n < 4; n++) await newKey(realm)
      const oldestFirst = idsOf(await realm.get(`${path}?direction=asc&sort=id`))
      expect(oldestFirst.toSorted()).toEqual(oldestFirst)
      for (const order of ["", "&direction=desc", "&direction=asc"]) {
        const all = idsOf(await realm.get(`${path}?max_results=100${order}`))
        expect(all).toEqual(order.includes("asc") ? oldestFirst : oldestFirst.toReversed())
        const seen: Array<unknown> = []
        for (let after = "", more = true; more; after = `&after=${String(seen.at(-1))}`) {
          const page = await realm.get(`${path}?max_results=2${order}${after}`)
          seen.push(...idsOf(page))
          more = page.member("more_results") === true
          expect(page.items.length).toBe(more ? 2 : 1)
        }
        expect(seen).toEqual(all)
      }
    })

    test("returns at most 100 keys per page, and 422 for a larger max_results", async () => {
      const realm = await newRealm()
      await Promise.all(Array.from({ length: 100 }, () => newKey(realm)))
      const reply = await realm.get(path)
      expect([reply.items.length, reply.member("more_results")]).toEqual([100, true])
      for (const most of ["0", "101", "1000", "x"]) {
        const answer = await realm.get(`${path}?max_results=${most}`)
        expect([most, answer.status, answer.member("error_details", 0, "field")]).toEqual([most, 422, "max_results"])
      }
      expect((await realm.get(`${path}?max_results=101`)).errors).toEqual(["Max results must be between 1 and 100."])
    })

    test("returns 404 for a malformed after, and 422 for an unknown sort or direction", async () => {
      const realm = await newRealm()
      for (const after of ["x", realm.id]) {
        expect(errorOf(await realm.get(`${path}?after=${after}`)), after).toEqual(notFound)
      }
      for (const query of ["sort=algo", "direction=up"]) {
        expect((await realm.get(`${path}?${query}`)).status, query).toBe(422)
      }
    })
  })

  test("get finds a key and its realm by the key's ID, and returns 404 for any other ID", async () => {
    const { given } = await service()
    const [realm, other] = [await given.realm(), await given.realm()]
    const made = await newKey(realm)
    for (const caller of [realm, await realm.as("admin_realm"), given.root]) {
      const reply = await caller.get(`${path}/${made.id}`)
      expect([reply.status, reply.body]).toEqual([200, made.body])
    }
    expect(Object.keys(Object(made.body)).toSorted()).toEqual(memberNames)
    for (const id of ["x", "hs256", unknownIdLike(made.id), await firstKeyOf(other)]) {
      expect(errorOf(await realm.get(`${path}/${id}`)), id).toEqual(notFound)
    }
  })

  test.each([
    "hs256",
    "rs256"
  ])("create generates a %s key when the request contains no key, and records realm.updated", async (algo) => {
    const realm = await newRealm()
    for (const key of [{}, { key: null }, { key: "" }, { key: "  " }]) {
      const caller = await realm.as("admin_realm")
      const { result, events } = await realm.seen.during(() => createKey(caller, { algo, ...key }, version))
      const form = algo === "hs256" ? /^jsk_[0-9A-Za-z]{43}$/ : /^-----BEGIN PUBLIC KEY-----\n[\w+/=\n]+-----END PUBLIC/
      expect([result.status, result.body, events]).toEqual([
        201,
        {
          id: expect.stringMatching(/^jky_/),
          object: "jwt_key",
          algo,
          expired: false,
          key: expect.stringMatching(form),
          use: "sign",
          realm_id: realm.id,
          created_at: STARTS_AT / 1000
        },
        realmUpdated
      ])
      expect((await realm.get(`${path}/${result.id}`)).body).toEqual(result.body)
    }
  })

  test("create requires algo and use, and ignores read-only members", async () => {
    const realm = await newRealm()
    const before = await keysOf(realm)
    const wrong: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
      [{ algo: "hs256" }, ["Use can't be blank."]],
      [{ use: "sign" }, ["Algo can't be blank."]],
      [{}, ["Algo can't be blank.", "Use can't be blank."]],
      [{ algo: "hs256", use: "verify" }, ["Use must be one of: sign."]],
      [{ algo: "hs256", use: null }, ["Use must be one of: sign."]],
      [{ algo: "HS256", use: "sign" }, ["Algo must be one of: hs256, rs256."]],
      [{ algo: "none", use: "sign" }, ["Algo must be one of: hs256, rs256."]],
      [{ algo: "hs256", use: "sign", key: 7 }, ["Key must be text."]]
    ]
    const events = await realm.seen.caused(async () => {
      for (const [jwt_key, errors] of wrong) {
        expect(errorOf(await realm.post(path, { jwt_key }))).toEqual({ status: 422, errors })
      }
      expect((await realm.post(path, { algo: "hs256", use: "sign" })).status).toBe(400)
    })
    expect([events, await keysOf(realm)]).toEqual([[], before])
    const readOnly = { id: unknownIdLike(await firstKeyOf(realm)), expired: true, created_at: 1, object: "user" }
    const made = await realm.post(path, { jwt_key: { algo: "hs256", use: "sign", ...readOnly } })
    if (version === "v2") {
      // The contract has no JWT keys under /v2, so a creation rejects unknown members (C251).
      expect([made.status, await keysOf(realm)]).toEqual([422, before])
      return
    }
    expect([made.status, made.member("expired"), made.member("created_at")]).toEqual([201, false, STARTS_AT / 1000])
    expect(made.id).not.toBe(readOnly.id)
  })

  describe("delete", () => {
    test("expires the key with 202, lets the next key sign and records realm.updated", async () => {
      const realm = await newRealm()
      const [first, next] = [await firstKeyOf(realm), await newKey(realm)]
      const caller = await realm.as("admin_realm")
      const { result, events } = await realm.seen.during(() => deleteKey(caller, first, "", version))
      expect([result.status, result.text, events]).toEqual([202, "", realmUpdated])
      expect(await keysOf(realm)).toEqual([
        [first, true],
        [next.id, false]
      ])
      expect((await realm.get(`${path}/${first}`)).member("expired")).toBe(true)
      expect(await signerOf(realm)).toBe(next.id)
    })

    test("returns 202 without an event for an expired key, and removes the key with force", async () => {
      const realm = await newRealm()
      const [first, next] = [await firstKeyOf(realm), await newKey(realm)]
      await deleteKey(realm, first)
      const before = (await realm.get(path)).body
      const again = await realm.seen.during(() => deleteKey(realm, first, "?force=false", version))
      expect([again.result.status, again.result.text, again.events]).toEqual([202, "", []])
      expect((await realm.get(path)).body).toEqual(before)
      const forced = await realm.seen.during(() => deleteKey(realm, first, "?force=true", version))
      expect([forced.result.status, forced.events]).toEqual([202, realmUpdated])
      expect(await keysOf(realm)).toEqual([[next.id, false]])
    })

    test.each([
      "query",
      "JSON body",
      "form"
    ] as const)("removes the key immediately with force in the %s", async (where) => {
      const realm = await newRealm()
      const [first, next] = [await firstKeyOf(realm), await newKey(realm)]
      const form = { "content-type": "application/x-www-form-urlencoded" }
      const calls = {
        query: () => realm.delete(`${path}/${first}?force=true`),
        "JSON body": () => realm.call("DELETE", `${path}/${first}`, { body: { force: true } }),
        form: () => realm.call("DELETE", `${path}/${first}`, { body: "force=1", headers: form })
      }
      const { result, events } = await realm.seen.during(calls[where])
      expect([result.status, result.text, events]).toEqual([202, "", realmUpdated])
      expect(await keysOf(realm)).toEqual([[next.id, false]])
      for (const gone of [() => realm.get(`${path}/${first}`), () => deleteKey(realm, first, "?force=true", version)]) {
        const again = await realm.seen.during(gone)
        expect([errorOf(again.result), again.events]).toEqual([notFound, []])
      }
    })

    test("returns 422 for an invalid force and 404 for an unknown key, and changes nothing", async () => {
      const [realm, other] = [await newRealm(), await newRealm()]
      const [own, foreign] = [await firstKeyOf(realm), await firstKeyOf(other)]
      const events = await realm.seen.caused(async () => {
        expect((await deleteKey(realm, own, "?force=maybe", version)).errors).toEqual(["Force must be true or false."])
        for (const id of ["x", unknownIdLike(own), foreign]) {
          for (const query of ["", "?force=true"]) {
            expect(errorOf(await deleteKey(realm, id, query, version)), id).toEqual(notFound)
          }
        }
      })
      expect([events, await keysOf(realm), await keysOf(other)]).toEqual([[], [[own, false]], [[foreign, false]]])
    })
  })

  test.each(["read", "write"] as const)("requires admin_realm for every operation: %s gets 403", async (level) => {
    const realm = await newRealm()
    const id = await firstKeyOf(realm)
    const caller = await realm.as(level)
    const events = await realm.seen.caused(async () => {
      const answers = [
        await caller.get(path),
        await caller.get(`${path}/${id}`),
        await createKey(caller, {}, version),
        await deleteKey(caller, id, "?force=true", version)
      ]
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    })
    expect([events, await keysOf(realm)]).toEqual([[], [[id, false]]])
  })
})

test("shows the same keys in both versions", async () => {
  const realm = await newRealm()
  await newKey(realm, { algo: "rs256" })
  expect((await realm.get("/v1/jwt_keys")).body).toEqual((await realm.get("/v2/jwt_keys")).body)
})

test("returns 404 for other paths of the resource, and 405 for PUT", async () => {
  const realm = await newRealm()
  const id = await firstKeyOf(realm)
  expect((await realm.put(`/v1/jwt_keys/${id}`, { jwt_key: { expired: true } })).status).toBe(405)
  expect((await realm.get(`/v1/jwt_keys/${id}/key`)).status).toBe(404)
})

test("stores the caller's request details in the event of a change", async () => {
  const realm = await newRealm()
  const request = { ip: "192.0.2.7", client: "console" }
  await realm.post("/v1/jwt_keys", { jwt_key: { algo: "hs256", use: "sign" }, request })
  expect((await realm.seen.all()).at(-1)).toMatchObject({ event_type: "realm.updated", request })
})

test("creates one key per Idempotency-Key, and encrypts the stored response", async () => {
  const realm = await newRealm()
  const body = { jwt_key: { algo: "hs256", use: "sign" } }
  const twice = async () => [
    await realm.post("/v1/jwt_keys", body, { "idempotency-key": "one" }),
    await realm.post("/v1/jwt_keys", body, { "idempotency-key": "one" })
  ]
  const { result, events } = await realm.seen.during(twice)
  expect(result[1]?.body).toEqual(result[0]?.body)
  expect([events, (await keysOf(realm)).length]).toEqual([realmUpdated, 2])
})
