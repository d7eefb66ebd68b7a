import { createRemoteJWKSet, decodeProtectedHeader, importSPKI, jwtVerify } from "jose"
import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import {
  createKey,
  deleteKey,
  firstKeyOf,
  keysOf,
  newKey,
  publishedKeyIds,
  signerOf,
  tokenOf
} from "../support/jwtKeys.ts"
import { newRealm, ownService } from "../support/sallyport.ts"

const currentDate = new Date(STARTS_AT)

const realmUpdated = [{ event_type: "realm.updated" }]

const published = (realm: GivenRealm) => publishedKeyIds(realm.url, realm.id)

const discovered = async (realm: GivenRealm): Promise<unknown> => {
  const answer = await fetch(`${realm.url}/realms/${realm.id}/.well-known/openid-configuration`)
  return JSON.parse(await answer.text()).id_token_signing_alg_values_supported
}

/** A verifier like an app's, with nothing cached yet. */
const verifierOf = (realm: GivenRealm) => createRemoteJWKSet(new URL(`${realm.url}/realms/${realm.id}/jwks`))

describe("the signing key (C31a)", () => {
  test("is the oldest unexpired key of any algorithm, and is shown by the realm", async () => {
    const realm = await newRealm()
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

  test("stays the same when a newer key expires first", async () => {
    const realm = await newRealm()
    const [first, second, third] = [await firstKeyOf(realm), await newKey(realm), await newKey(realm)]
    expect(await realm.seen.caused(() => deleteKey(realm, second.id))).toEqual(realmUpdated)
    expect(await signerOf(realm)).toBe(first)
    await deleteKey(realm, first)
    expect(await signerOf(realm)).toBe(third.id)
  })

  test("expires with all other keys if the realm's new jwt_algo differs from its algorithm", async () => {
    const realm = await newRealm()
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
    expect([result.status, result.member("jwt_algo"), events]).toEqual([200, "hs256", realmUpdated])
    const keys = await keysOf(realm)
    expect(keys.slice(0, 3)).toEqual([first, second.id, third.id].map((id) => [id, true]))
    expect([keys.length, keys[3]]).toEqual([4, [await signerOf(realm), false]])
  })
})

describe("deleting a JWT key", () => {
  test.each([
    ["hs256", ""],
    ["hs256", "?force=true"],
    ["rs256", ""],
    ["rs256", "?force=true"]
  ])("creates a replacement with the same algorithm when no other key can sign: %s %s", async (jwt_algo, query) => {
    const realm = await newRealm({ jwt_algo })
    const [first, token] = [await firstKeyOf(realm), await tokenOf(realm)]
    const { result, events } = await realm.seen.during(() => deleteKey(realm, first, query))
    expect([result.status, events]).toEqual([202, realmUpdated])
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

  test("creates no replacement when another key can sign or the deleted key had already expired", async () => {
    const realm = await newRealm()
    const [first, second] = [await firstKeyOf(realm), await newKey(realm, { algo: "rs256" })]
    await deleteKey(realm, first)
    await deleteKey(realm, first, "?force=true")
    expect(await keysOf(realm)).toEqual([[second.id, false]])
  })

  test("creates the replacement with the algorithm of the last key, not the realm's first key", async () => {
    const realm = await newRealm()
    const first = await firstKeyOf(realm)
    const second = await newKey(realm, { algo: "rs256" })
    await deleteKey(realm, first, "?force=true")
    await deleteKey(realm, second.id, "?force=true")
    expect((await realm.get("/v2/jwt_keys")).items.map(({ algo }) => algo)).toEqual(["rs256"])
  })
})

describe("concurrent requests", () => {
  test.each([
    ["hs256", ""],
    ["hs256", "?force=true"],
    ["rs256", ""]
  ])("leave exactly one signing key after all keys are deleted several times: %s %s", async (algo, query) => {
    const realm = await newRealm({ jwt_algo: algo })
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

  test("never leave the realm without a key when creating and deleting keys", async () => {
    const realm = await newRealm()
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

describe("a retired key (C32, C33)", () => {
  test.each([
    [60, 6],
    [10 * 60, 10],
    [7 * 24 * 60, 24]
  ])("with session_minutes %i, verifies for %i hours and is then removed", (session_minutes, hours) =>
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

  test("with rs256, verifies as long as any access token signed with the key may live (C270)", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm({ jwt_algo: "rs256", session_minutes: 60 })
      const [first, token] = [await firstKeyOf(realm), await tokenOf(realm)]
      clock.advance("1 minute")
      await deleteKey(realm, first)
      const [, second = ""] = (await keysOf(realm)).map(([id]) => id)
      // Only the presence of the key matters here, so the token's own expiry is ignored.
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

  test("SEC-253: signs until verifiers must have fetched the next rs256 key", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm({ jwt_algo: "rs256" })
      const first = await firstKeyOf(realm)
      clock.advance("1 hour")
      const cached = await published(realm)
      // The first key's replacement, which is also retired, and a key added in between.
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

  test("stops signing immediately with force, even if verifiers don't know the next key", () =>
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

  test("verifies hs256 tokens with the secret that the API returns for the key", async () => {
    const realm = await newRealm()
    const [first, token] = [await firstKeyOf(realm), await tokenOf(realm)]
    await deleteKey(realm, first)
    const secret = (await realm.get(`/v1/jwt_keys/${first}`)).string("key")
    const { protectedHeader } = await jwtVerify(token, new TextEncoder().encode(secret), { currentDate })
    expect(protectedHeader.kid).toBe(first)
    expect(decodeProtectedHeader(await tokenOf(realm)).kid).not.toBe(first)
  })
})
