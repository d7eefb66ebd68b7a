import { createRemoteJWKSet, decodeProtectedHeader, importSPKI, jwtVerify } from "jose"
import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { createKey, deleteKey, firstKeyOf, keysOf, newKey, publishedBy, signerOf, tokenOf } from "../support/jwtKeys.ts"
import { ownService, service } from "../support/sallyport.ts"

const currentDate = new Date(STARTS_AT)

const realmOf = async (settings = {}) => (await service()).given.realm(settings)

const updated = [{ event_type: "realm.updated" }]

const published = (realm: GivenRealm) => publishedBy(realm.url, realm.id)

const discovered = async (realm: GivenRealm): Promise<unknown> => {
  const answer = await fetch(`${realm.url}/realms/${realm.id}/.well-known/openid-configuration`)
  return JSON.parse(await answer.text()).id_token_signing_alg_values_supported
}

/** A verifier as an app has it, that knows nothing yet. */
const verifierOf = (realm: GivenRealm) => createRemoteJWKSet(new URL(`${realm.url}/realms/${realm.id}/jwks`))

describe("the oldest unexpired key signs, whatever its algorithm (C31a)", () => {
  test("creating does not replace; each signs once the older ones are gone, and the realm's reads show it", async () => {
    const realm = await realmOf()
    const first = await firstKeyOf(realm)
    const second = await newKey(realm, { algo: "rs256" })
    const third = await newKey(realm)
    const shown = async () => {
      const [v1, v2] = [await realm.get(`/v1/realms/${realm.id}`), await realm.get(`/v2/realms/${realm.id}`)]
      expect([v1.member("jwt_key"), v1.member("jwt_secret")]).toEqual([v2.member("jwt_key"), v2.member("jwt_key")])
      return [v2.member("jwt_algo"), v2.member("jwt_key"), await discovered(realm)]
    }
    expect([await signerOf(realm), await published(realm)]).toEqual([first, [second.id]])
    await deleteKey(realm, first)
    expect([await signerOf(realm), ...(await shown())]).toEqual([second.id, "rs256", second.string("key"), ["RS256"]])
    await jwtVerify(await tokenOf(realm), await importSPKI(second.string("key"), "RS256"), { currentDate })
    await deleteKey(realm, second.id, "?force=true")
    expect([await signerOf(realm), ...(await shown())]).toEqual([third.id, "hs256", third.string("key"), ["HS256"]])
    expect(await published(realm)).toEqual([])
  })

  test("a key that is expired out of turn leaves the signer alone", async () => {
    const realm = await realmOf()
    const [first, second, third] = [await firstKeyOf(realm), await newKey(realm), await newKey(realm)]
    expect(await realm.seen.caused(() => deleteKey(realm, second.id))).toEqual(updated)
    expect(await signerOf(realm)).toBe(first)
    await deleteKey(realm, first)
    expect(await signerOf(realm)).toBe(third.id)
  })

  test("changing jwt_algo is measured by the key that signs, and expires all others", async () => {
    const realm = await realmOf()
    const [first, second, third] = [
      await firstKeyOf(realm),
      await newKey(realm, { algo: "rs256" }),
      await newKey(realm)
    ]
    await deleteKey(realm, first)
    const change = (jwt_algo: string) => realm.put(`/v2/realms/${realm.id}`, { realm: { jwt_algo } })
    expect(await realm.seen.caused(() => change("rs256"))).toEqual([])
    expect(await signerOf(realm)).toBe(second.id)
    const { result, events } = await realm.seen.during(() => change("hs256"))
    expect([result.status, result.member("jwt_algo"), events]).toEqual([200, "hs256", updated])
    const keys = await keysOf(realm)
    expect(keys.slice(0, 3)).toEqual([first, second.id, third.id].map((id) => [id, true]))
    expect([keys.length, keys[3]]).toEqual([4, [await signerOf(realm), false]])
  })
})

describe("where no key is left to sign, a replacement of the same algorithm is made in the same breath", () => {
  test.each([
    ["hs256", ""],
    ["hs256", "?force=true"],
    ["rs256", ""],
    ["rs256", "?force=true"]
  ])("%s %s", async (jwt_algo, query) => {
    const realm = await realmOf({ jwt_algo })
    const [first, token] = [await firstKeyOf(realm), await tokenOf(realm)]
    const { result, events } = await realm.seen.during(() => deleteKey(realm, first, query))
    expect([result.status, events]).toEqual([202, updated])
    const keys = await keysOf(realm)
    const replacement = keys.at(-1)?.[0] ?? ""
    expect(replacement).not.toBe(first)
    expect(keys).toEqual([...(query === "" ? [[first, true]] : []), [replacement, false]])
    expect((await realm.get(`/v1/jwt_keys/${replacement}`)).member("algo")).toBe(jwt_algo)
    expect(await signerOf(realm)).toBe(replacement)
    if (jwt_algo === "hs256") return
    expect(await published(realm)).toEqual(keys.map(([id]) => id))
    const checked = jwtVerify(token, verifierOf(realm), { currentDate })
    if (query === "") expect((await checked).protectedHeader.kid).toBe(first)
    else await expect(checked).rejects.toThrow("no applicable key")
  })

  test("but not where another still signs, nor for a key that was expired already", async () => {
    const realm = await realmOf()
    const [first, second] = [await firstKeyOf(realm), await newKey(realm, { algo: "rs256" })]
    await deleteKey(realm, first)
    await deleteKey(realm, first, "?force=true")
    expect(await keysOf(realm)).toEqual([[second.id, false]])
  })

  test("the last key that is deleted says the algorithm, not the realm's first one", async () => {
    const realm = await realmOf()
    const first = await firstKeyOf(realm)
    const second = await newKey(realm, { algo: "rs256" })
    await deleteKey(realm, first, "?force=true")
    await deleteKey(realm, second.id, "?force=true")
    expect((await realm.get("/v2/jwt_keys")).items.map(({ algo }) => algo)).toEqual(["rs256"])
  })
})

describe("at the same time", () => {
  test.each([
    ["hs256", ""],
    ["hs256", "?force=true"],
    ["rs256", ""]
  ])("deletes of all keys, each several times, leave exactly one that signs: %s %s", async (algo, query) => {
    const realm = await realmOf({ jwt_algo: algo })
    await newKey(realm, { algo })
    await newKey(realm, { algo })
    const ids = (await keysOf(realm)).map(([id]) => id)
    const { result, events } = await realm.seen.during(() =>
      Promise.all([...ids, ...ids, ...ids].map((id) => deleteKey(realm, id, query)))
    )
    const allowed = query === "" ? [202] : [202, 404]
    expect(result.filter(({ status }) => !allowed.includes(status))).toEqual([])
    expect(events).toEqual(ids.map(() => ({ event_type: "realm.updated" })))
    const left = (await keysOf(realm)).filter(([, expired]) => !expired)
    expect(left.map(([id]) => id)).toEqual([await signerOf(realm)])
    expect(ids).not.toContain(left[0]?.[0])
  })

  test("creates and deletes of the one that signs never leave the realm without a key", async () => {
    const realm = await realmOf()
    const rounds = Array.from({ length: 6 }, async () => {
      const made = await createKey(realm)
      const gone = await deleteKey(realm, await firstKeyOf(realm), "?force=true")
      const session = await realm.session((await realm.user()).id)
      return [made.status, [202, 404].includes(gone.status), session.status]
    })
    expect(await Promise.all(rounds)).toEqual(rounds.map(() => [201, true, 201]))
    expect((await keysOf(realm)).length).toBeGreaterThan(0)
  })
})

describe("retirement by the clock (C32, C33)", () => {
  test.each([
    [60, 6],
    [10 * 60, 10],
    [7 * 24 * 60, 24]
  ])("with session_minutes %i a retired key verifies for %i hours, and then it is gone", (session_minutes, hours) =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm({ session_minutes })
      const first = await firstKeyOf(realm)
      await deleteKey(realm, first)
      const shown = async () => [
        (await keysOf(realm)).some(([id]) => id === first),
        (await realm.get(`/v2/jwt_keys/${first}`)).status
      ]
      clock.advance(hours * 3_600_000 - 1)
      expect(await shown()).toEqual([true, 200])
      clock.advance(1)
      expect(await shown()).toEqual([false, 404])
    }))

  test("a retired rs256 key verifies as long as the longest access token that it may have signed (C270)", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm({ jwt_algo: "rs256", session_minutes: 60 })
      const [first, token] = [await firstKeyOf(realm), await tokenOf(realm)]
      clock.advance("1 minute")
      await deleteKey(realm, first)
      const [, second = ""] = (await keysOf(realm)).map(([id]) => id)
      // Only whether the key is there is asked here: the token's own end is another matter.
      const verified = () =>
        jwtVerify(token, verifierOf(realm), { currentDate }).then(
          ({ protectedHeader }) => protectedHeader.kid,
          (cause: Error) => cause.message
        )
      clock.advance((24 * 60 + 1) * 60_000 - 1)
      expect([await verified(), await published(realm)]).toEqual([first, [first, second]])
      expect((await realm.get(`/v1/jwt_keys/${first}`)).member("expired")).toBe(true)
      clock.advance(1)
      expect([await verified(), await published(realm)]).toEqual([
        "no applicable key found in the JSON Web Key Set",
        [second]
      ])
      const events = await realm.seen.caused(async () => {
        for (const path of [`/v1/jwt_keys/${first}`, `/v2/jwt_keys/${first}`]) {
          expect([path, (await realm.get(path)).status]).toEqual([path, 404])
        }
        for (const query of ["", "?force=true"]) expect((await deleteKey(realm, first, query)).status).toBe(404)
      })
      expect([events, await keysOf(realm)]).toEqual([[], [[second, false]]])
    }))

  test("SEC-253: a new rs256 key signs once every verifier that caches the JWKS for its max-age knows it", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm({ jwt_algo: "rs256" })
      const first = await firstKeyOf(realm)
      clock.advance("1 hour")
      const cached = await published(realm)
      // The key that replaces a retired one, and one that was added before.
      await deleteKey(realm, first)
      const second = (await keysOf(realm)).at(-1)?.[0] ?? ""
      const third = await newKey(realm, { algo: "rs256" })
      await deleteKey(realm, second)
      clock.advance(59_999)
      expect([cached, await signerOf(realm)]).toEqual([[first], first])
      const shown = await realm.get(`/v2/realms/${realm.id}`)
      expect(shown.member("jwt_key")).toBe((await realm.get(`/v2/jwt_keys/${first}`)).member("key"))
      expect(await published(realm)).toEqual([first, second, third.id])
      clock.advance(1)
      expect(await signerOf(realm)).toBe(third.id)
    }))

  test("with force, the next key signs at once, known or not", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm({ jwt_algo: "rs256" })
      const first = await firstKeyOf(realm)
      clock.advance("1 hour")
      await deleteKey(realm, first, "?force=true")
      expect([await published(realm), await keysOf(realm)]).toEqual([
        [await signerOf(realm)],
        [[await signerOf(realm), false]]
      ])
    }))

  test("a hs256 token of a retired key is still the realm's, by the secret that the key's read shows", async () => {
    const realm = await realmOf()
    const [first, token] = [await firstKeyOf(realm), await tokenOf(realm)]
    await deleteKey(realm, first)
    const secret = (await realm.get(`/v1/jwt_keys/${first}`)).string("key")
    const { protectedHeader } = await jwtVerify(token, new TextEncoder().encode(secret), { currentDate })
    expect(protectedHeader.kid).toBe(first)
    expect(decodeProtectedHeader(await tokenOf(realm)).kid).not.toBe(first)
  })
})
