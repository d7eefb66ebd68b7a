import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { newApiUser, newCredential, newDevice } from "../support/credentials.ts"
import { newRealm, service } from "../support/sallyport.ts"

const rejectionOf = (reply: Reply) => ({ status: reply.status, errors: reply.errors })

const foreignCalls = (given: GivenRealm, id: string, foreign: string) => [
  id.replace(/.{4}$/, "zzzz"),
  `${id}0`,
  "crd_",
  "x",
  foreign,
  given.id
]

describe.each(["v1", "v2"])("/%s/credentials/{id}", (version) => {
  test("returns the same 404 for unknown ids, malformed ids and ids of other realms in every operation", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const user = await given.user()
    const device = await newDevice(given, user.id)
    const foreign = await newDevice(other, (await other.user()).id)
    const caller = await given.as("write")
    const missing = { status: 404, errors: ["Credential could not be found."] }
    const before = [await given.get(`/v2/users/${user.id}`), await other.get(`/v2/credentials/${foreign.id}`)]
    const events = await given.seen.caused(async () => {
      for (const id of [...foreignCalls(given, device.id, foreign.id), user.id]) {
        const path = `/${version}/credentials/${id}`
        const verified = await caller.post(`${path}/verify`, { credential: { code: "123456" } })
        expect(rejectionOf(await caller.get(path)), id).toEqual(missing)
        expect(rejectionOf(await caller.put(path, { credential: { name: "x" } })), id).toEqual(missing)
        expect(rejectionOf(verified), id).toEqual(missing)
        expect(rejectionOf(await caller.delete(path)), id).toEqual(missing)
      }
    })
    expect(events).toEqual([])
    const after = [await given.get(`/v2/users/${user.id}`), await other.get(`/v2/credentials/${foreign.id}`)]
    expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body))
  })

  test("finds the realm of a credential for a key that isn't locked to a realm", async () => {
    const { given: all } = await service()
    const given = await all.realm()
    const device = await newDevice(given, (await given.user()).id)
    expect((await all.root.get(`/${version}/credentials/${device.id}`)).body).toEqual(device.body)
    const renamed = await all.root.put(`/${version}/credentials/${device.id}`, { credential: { name: "y" } })
    expect([renamed.status, renamed.member("name")]).toEqual([200, "y"])
    expect((await all.root.delete(`/${version}/credentials/${device.id}`)).status).toBe(204)
  })

  test("cannot be listed", async () => {
    const given = await newRealm()
    expect((await given.get(`/${version}/credentials`)).status).toBe(405)
  })
})

describe.each(["v1", "v2"])("POST /%s/credentials", (version) => {
  test("SEC-51: returns 422 if the user is missing, unknown or in another realm, or the type is missing", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const [user, foreign] = [await given.user(), await other.user()]
    const good = { user_id: user.id, credential_type: "password", password: "a wholly unguessable phrase" }
    const { user_id: _user, ...nobodys } = good
    const { credential_type: _type, ...untyped } = good
    const events = await given.seen.caused(async () => {
      for (const user_id of [foreign.id, user.id.replace(/.{4}$/, "zzzz"), "x", "", given.id]) {
        const reply = await given.post(`/${version}/credentials`, { credential: { ...good, user_id } })
        expect(rejectionOf(reply), user_id).toEqual({ status: 422, errors: ["User could not be found."] })
      }
      for (const [credential, error] of [
        [nobodys, "User can't be blank."],
        [untyped, "Credential type can't be blank."],
        [
          { ...good, credential_type: "fingerprint" },
          "Credential type must be one of: api_key, password, totp, passkey, recovery_codes, apple, facebook, github, google, linkedin, microsoft, oauth2, oidc, slack, yahoo."
        ],
        [
          { ...good, credential_type: "" },
          "Credential type must be one of: api_key, password, totp, passkey, recovery_codes, apple, facebook, github, google, linkedin, microsoft, oauth2, oidc, slack, yahoo."
        ],
        [
          { ...good, credential_type: null },
          "Credential type must be one of: api_key, password, totp, passkey, recovery_codes, apple, facebook, github, google, linkedin, microsoft, oauth2, oidc, slack, yahoo."
        ]
      ] as const) {
        const reply = await given.post(`/${version}/credentials`, { credential })
        expect(rejectionOf(reply)).toEqual({ status: 422, errors: [error] })
      }
      expect((await given.post(`/${version}/credentials`, good)).status).toBe(400)
    })
    expect(events).toEqual([])
    expect((await other.get(`/v2/users/${foreign.id}`)).member("credentials")).toEqual([])
  })

  test("stores the request attributes in the event", async () => {
    const given = await newRealm()
    const user = await given.user()
    const request = { ip: "192.0.2.7", client: "curl" }
    const credential = { user_id: user.id, credential_type: "totp", name: "x" }
    await given.post(`/${version}/credentials`, { credential, request })
    expect((await given.seen.all()).at(-1)).toMatchObject({ event_type: "user.updated", user_id: user.id, request })
  })
})

test("a user contains only id and type of each credential", async () => {
  const given = await newRealm()
  const [user, api] = [await given.user({ password: "a wholly unguessable phrase" }), await newApiUser(given)]
  const devices = [await newDevice(given, user.id), await newDevice(given, user.id)]
  const key = await newCredential(given, api.id, { credential_type: "api_key" })
  const listed = (credential_type: string, id: unknown) => ({ id, object: "credential", credential_type })
  const passwordId = (await given.get(`/v2/users/${user.id}`)).string("credentials", 0, "id")
  for (const version of ["v1", "v2"]) {
    expect((await given.get(`/${version}/users/${user.id}`)).member("credentials")).toEqual([
      listed("password", passwordId),
      ...devices.map(({ id }) => listed("totp", id))
    ])
  }
  expect((await given.get(`/v1/users/${api.id}`)).member("credentials")).toEqual([listed("api_key", key.id)])
  expect((await given.delete(`/v2/users/${user.id}`)).status).toBe(204)
  for (const id of [passwordId, ...devices.map((device) => device.id)]) {
    expect((await given.get(`/v2/credentials/${id}`)).status).toBe(404)
  }
})

test("a request repeated with its Idempotency-Key returns the same key and creates no second credential", async () => {
  const given = await newRealm()
  const user = await newApiUser(given)
  const body = { credential: { user_id: user.id, credential_type: "api_key" } }
  const { result, events } = await given.seen.during(async () => [
    await given.post("/v1/credentials", body, { "idempotency-key": "one" }),
    await given.post("/v1/credentials", body, { "idempotency-key": "one" })
  ])
  const [first, again] = result
  expect([first?.status, again?.status, again?.headers.get("idempotency-replayed")]).toEqual([201, 201, "true"])
  expect(again?.body).toEqual(first?.body)
  expect(events).toEqual([{ event_type: "user.updated", user_id: user.id }])
  const login = await given.post("/v1/users/authenticate_key", { api_key: first?.string("api_key") })
  expect([login.status, login.id]).toEqual([200, user.id])
})

test("concurrent changes of one user's credentials all take effect, each with its event", async () => {
  const given = await newRealm()
  const user = await given.user()
  const devices = await Promise.all(Array.from({ length: 6 }, () => newDevice(given, user.id)))
  const { result, events } = await given.seen.during(() =>
    Promise.all(
      devices.flatMap(({ id }, n) => [
        newDevice(given, user.id),
        n % 2 === 0
          ? given.put(`/v1/credentials/${id}`, { credential: { name: `renamed ${n}` } })
          : given.delete(`/v2/credentials/${id}`)
      ])
    )
  )
  expect(result.map(({ status }) => status).sort()).toEqual([
    ...Array(3).fill(200),
    ...Array(6).fill(201),
    204,
    204,
    204
  ])
  expect(events).toEqual(Array.from({ length: 12 }, () => ({ event_type: "user.updated", user_id: user.id })))
  const left = (await given.get(`/v2/users/${user.id}`)).member("credentials")
  expect(left).toHaveLength(9)
})

test("only one of two concurrent deletions succeeds, and a concurrent deletion of the user causes no errors", async () => {
  const given = await newRealm()
  const user = await given.user()
  const device = await newDevice(given, user.id)
  const twice = await Promise.all([1, 2].map(() => given.delete(`/v2/credentials/${device.id}`)))
  expect(twice.map(({ status }) => status).sort()).toEqual([204, 404])
  const [one, two] = [await newDevice(given, user.id), await newDevice(given, user.id)]
  const replies = await Promise.all([
    given.delete(`/v2/users/${user.id}`),
    given.delete(`/v2/credentials/${one.id}`),
    given.put(`/v2/credentials/${two.id}`, { credential: { name: "x" } }),
    given.post(`/v2/credentials/${two.id}/verify`, { credential: { code: "123456" } }),
    given.post("/v2/credentials", { credential: { user_id: user.id, credential_type: "totp", name: "x" } })
  ])
  for (const { status, text } of replies) expect([status < 500, text]).toEqual([true, text])
  expect((await given.get(`/v2/users/${user.id}`)).status).toBe(404)
})
