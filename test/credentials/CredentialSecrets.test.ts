import { describe, expect, test } from "vitest"
import type { Api } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { codeAt, newApiUser, newCredential, newDevice } from "../support/credentials.ts"
import { dump, query } from "../support/query.ts"
import { isolatedService, service } from "../support/sallyport.ts"

const password = "a wholly unguessable phrase"
const ownKey = "one-of-my-own-0123456789"
const accessToken = "an-access-token-of-a-provider"

/** One credential of each kind, in a realm that keeps API keys readable. */
const oneOfEach = async (given: GivenRealm) => {
  const [human, api] = [await given.user(), await newApiUser(given)]
  await given.authProvider({ provider_type: "github" })
  const profile = { credential_type: "github", provider_user_id: "42", access_token: accessToken }
  const verified = await newDevice(given, human.id)
  const code = codeAt(verified.string("otp_secret"))
  await given.post(`/v2/credentials/${verified.id}/verify`, { credential: { code } })
  return {
    human,
    api,
    password: await newCredential(given, human.id, { credential_type: "password", password }),
    "new device": await newDevice(given, human.id),
    "verified device": verified,
    profile: await newCredential(given, human.id, profile),
    "own key": await newCredential(given, api.id, { credential_type: "api_key", api_key: ownKey }),
    "made key": await newCredential(given, api.id, { credential_type: "api_key" })
  }
}

const common = ["credential_type", "id", "object", "user_id"]

/** The members of each kind in a response. Those in the last list are null below level `write`. */
const members = [
  ["password", common, []],
  [
    "new device",
    [...common, "auth_provider_id", "name", "state"],
    ["otp_secret", "provisioning_svg", "provisioning_uri"]
  ],
  ["verified device", [...common, "auth_provider_id", "name", "state"], []],
  ["profile", [...common, "auth_provider_id", "provider_user_id", "token_expires_at"], ["access_token"]],
  ["own key", common, ["api_key"]],
  ["made key", common, ["api_key"]]
] as const

describe("SEC-53: a credential shows only its type's members, and its secrets only to level write and higher (C6)", () => {
  test.each(["v1", "v2"])("%s", async (version) => {
    const given = await (await service()).given.realm({ api_key_policy: "encrypt" })
    const credentials = await oneOfEach(given)
    const callers: ReadonlyArray<readonly [boolean, Api]> = [
      [false, await given.as("read")],
      [true, await given.as("write")],
      [true, await given.as("admin_realm")],
      [true, given]
    ]
    for (const [open, caller] of callers) {
      for (const [kind, shown, secret] of members) {
        const { id } = credentials[kind]
        const read = await caller.get(`/${version}/credentials/${id}`)
        expect([kind, Object.keys(Object(read.body)).sort()]).toEqual([kind, [...shown, ...secret].sort()])
        for (const name of secret) {
          expect([kind, name, read.member(name)]).toEqual([kind, name, open ? expect.any(String) : null])
        }
      }
    }
  })

  // The exception is v1's `api_key` when reading a single API user from level `write` up, as its contract requires.
  test("users, lists, events and expansions contain no secrets at any level", async () => {
    const given = await (await service()).given.realm({ api_key_policy: "encrypt" })
    const credentials = await oneOfEach(given)
    const { human, api } = credentials
    await given.membership(human.id, (await given.org()).id)
    const hidden = [
      password,
      accessToken,
      ownKey,
      credentials["made key"].string("api_key"),
      credentials["new device"].string("otp_secret"),
      credentials["verified device"].string("otp_secret"),
      "$argon2id$"
    ]
    for (const path of [
      ...["v1", "v2"].flatMap((version) => [
        `/${version}/users/${human.id}`,
        `/${version}/users/${human.id}?expand=memberships`,
        `/${version}/users?expand=custom`,
        `/${version}/events`,
        `/${version}/auth_providers`
      ]),
      "/v1/users?user_type=all",
      `/v2/memberships?user_id=${human.id}`,
      `/v2/realms/${given.id}`
    ]) {
      const { text } = await given.get(path)
      for (const secret of hidden) expect(text.includes(secret), `${path} ${secret}`).toBe(false)
    }
    const { text } = await (await given.as("read")).get(`/v1/users/${api.id}`)
    for (const secret of hidden) expect(text.includes(secret), secret).toBe(false)
  })
})

describe("SEC-46, SEC-47: the stored form of a secret", () => {
  test.each(["hash", "encrypt"])("is unreadable in the database with policy %s", (api_key_policy) =>
    isolatedService(async ({ given, sql }) => {
      const realm = await given.realm({ api_key_policy })
      const credentials = await oneOfEach(realm)
      const made = credentials["made key"].string("api_key")
      await realm.put(`/v2/credentials/${credentials["own key"].id}`, { credential: { api_key: "generate" } })
      const changed = { access_token: `${accessToken}-2` }
      await realm.put(`/v2/credentials/${credentials.profile.id}`, { credential: changed })
      const again = { "idempotency-key": "one" }
      const body = { credential: { user_id: credentials.api.id, credential_type: "api_key" } }
      const repeated = (await realm.post("/v1/credentials", body, again)).string("api_key")

      const stored = (await dump(sql)).map(([, text]) => text).join("\n")
      expect(stored).toContain(credentials.profile.id)
      const secrets = [
        password,
        ownKey,
        made,
        repeated,
        accessToken,
        credentials["new device"].string("otp_secret"),
        credentials["verified device"].string("otp_secret")
      ]
      for (const secret of secrets) {
        for (const form of ["utf8", "hex", "base64", "base64url"] as const) {
          const text = form === "utf8" ? secret : Buffer.from(secret).toString(form).replace(/=+$/, "")
          expect([secret, form, stored.includes(text)]).toEqual([secret, form, false])
        }
      }
      const rows = await query(
        sql<{ type: string; secret: string | null; digest: string | null }>`select credential_type as type, secret,
          encode(key_digest, 'hex') as digest from credentials where credential_type <> 'password'`
      )
      for (const { type, secret, digest } of rows) {
        const isReadable = type !== "api_key" || api_key_policy === "encrypt"
        expect([type, secret]).toEqual([type, isReadable ? expect.stringMatching(/^v1\.[0-9a-f]{8}\.[\w-]+$/) : null])
        expect([type, digest]).toEqual([type, type === "api_key" ? expect.stringMatching(/^[0-9a-f]{64}$/) : null])
      }
    }))

  test("can't be decrypted after being moved to another credential", () =>
    isolatedService(async ({ given, sql }) => {
      const realm = await given.realm()
      const user = await realm.user()
      const [mine, theirs] = [await newDevice(realm, user.id), await newDevice(realm, (await realm.user()).id)]
      await query(
        sql`update credentials set secret = (select secret from credentials where id = ${theirs.id}) where id = ${mine.id}`
      )
      const moved = await realm.get(`/v2/credentials/${mine.id}`)
      expect([moved.status, moved.body]).toEqual([
        200,
        { ...Object(mine.body), otp_secret: null, provisioning_uri: null, provisioning_svg: null }
      ])
      expect((await realm.get(`/v2/credentials/${theirs.id}`)).body).toEqual(theirs.body)
    }))
})

test("the API key of a deleted user is rejected", async () => {
  const given = await (await service()).given.realm()
  const user = await newApiUser(given)
  const key = (await newCredential(given, user.id, { credential_type: "api_key" })).string("api_key")
  const login = () => given.post("/v1/users/authenticate_key", { api_key: key })
  expect((await login()).status).toBe(200)
  await given.delete(`/v1/users/${user.id}`)
  expect((await login()).status).toBe(404)
})
