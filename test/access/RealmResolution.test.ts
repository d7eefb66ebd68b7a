import { describe, expect, test } from "vitest"
import { Api } from "#testing/Api"
import { uniqueText } from "#testing/Given"
import { newDevice } from "../support/credentials.ts"
import { noRealm } from "../support/noRealm.ts"
import { eventsOfCreation } from "../support/realms.ts"
import { unknownIdLike } from "../support/resources.ts"
import { service } from "../support/sallyport.ts"

/** Two realms and the root key, which is not locked to a realm. */
const prepared = async () => {
  const { given } = await service()
  return { root: given.root, realm: await given.realm(), other: await given.realm() }
}

const newUser = (attributes: Readonly<Record<string, unknown>> = {}) => ({
  email: `${uniqueText("user")}@example.test`,
  credentials: [],
  ...attributes
})

const contradiction = "The request names different realms in its query, body or headers."

describe("the realm of a request", () => {
  test.each(["v1", "v2"])("is taken from realm_id in the query (%s)", async (version) => {
    const { root, realm } = await prepared()
    const reply = await root.get(`/${version}/events?realm_id=${realm.id}`)
    expect([reply.status, reply.items.map(({ realm_id }) => realm_id)]).toEqual([
      200,
      eventsOfCreation.map(() => realm.id)
    ])
  })

  test.each(["v1", "v2"])("is taken from the header X-Service-Realm (%s)", async (version) => {
    const { realm } = await prepared()
    const reply = await realm.get(`/${version}/events`)
    expect([reply.status, reply.items.map(({ realm_id }) => realm_id)]).toEqual([
      200,
      eventsOfCreation.map(() => realm.id)
    ])
  })

  test.each(["v1", "v2"])("is the realm that the API key is locked to (%s)", async (version) => {
    const { realm } = await prepared()
    const reply = await (await realm.as("read")).get(`/${version}/events`)
    // The last event is the creation of the key.
    expect([reply.status, reply.items.map(({ realm_id }) => realm_id)]).toEqual([
      200,
      [...eventsOfCreation, "key"].map(() => realm.id)
    ])
  })

  test("is taken from realm_id in the resource body", async () => {
    const { root, realm } = await prepared()
    const { result, events } = await realm.seen.during(() =>
      root.post("/v2/users", { user: newUser({ realm_id: realm.id }) })
    )
    expect([result.status, result.member("realm_id")]).toEqual([201, realm.id])
    expect(events).toEqual([{ event_type: "user.created", user_id: result.id }])
  })

  test("is taken from realm_id outside the wrapper, or inside an optional or ignored wrapper", async () => {
    const { root, realm } = await prepared()
    const created = await root.post("/v2/users", { realm_id: realm.id, user: newUser() })
    expect([created.status, created.member("realm_id")]).toEqual([201, realm.id])
    const email = created.string("email")
    const { id: realm_id } = realm
    for (const body of [{ realm_id }, { user: { realm_id } }]) {
      const asked = await root.post(`/v2/users/${email}/generate_password_token`, body)
      expect([body, asked.status]).toEqual([body, 200])
    }
    await realm.put(`/v2/users/${created.id}`, { user: { password: "correct horse battery", username: "jo" } })
    for (const user of [{ realm_id, password: "correct horse battery" }]) {
      expect((await root.post("/v1/users/jo/authenticate", { user })).status).toBe(200)
    }
  })

  test("is taken from realm_id anywhere in an update's body if the rest of the request names no realm", async () => {
    const { root, realm } = await prepared()
    const email = (await realm.user()).string("email")
    const { id: realm_id } = realm
    for (const body of [{ realm_id, user: { first_name: "Jo" } }, { user: { realm_id, last_name: "Doe" } }]) {
      const reply = await root.put(`/v2/users/${email}`, body)
      expect([body, reply.status]).toEqual([body, 200])
    }
  })

  test("is taken from realm_id in the query of a POST", async () => {
    const { root, realm } = await prepared()
    const reply = await root.post(`/v2/users?realm_id=${realm.id}`, { user: newUser() })
    expect([reply.status, reply.member("realm_id")]).toEqual([201, realm.id])
  })

  test("is taken from realm_id in the body of a DELETE", async () => {
    const { root, realm, other } = await prepared()
    const { id } = await realm.user()
    const remove = (realmId: string) => root.call("DELETE", `/v2/users/${id}`, { body: { realm_id: realmId } })
    expect((await remove(other.id)).status).toBe(404)
    expect((await remove(realm.id)).status).toBe(204)
  })

  test("may be named in several places with the same value", async () => {
    const { realm } = await prepared()
    const locked = new Api(realm.transport, (await realm.as("write")).key, realm.id)
    const reply = await locked.post(`/v2/users?realm_id=${realm.id}`, { user: newUser({ realm_id: realm.id }) })
    expect([reply.status, reply.member("realm_id")]).toEqual([201, realm.id])
  })

  test("is found by the id in the path if the key is not locked to a realm", async () => {
    const { root, realm } = await prepared()
    const [user, org] = [await realm.user(), await realm.org()]
    const [membership, session] = [await realm.membership(user.id, org.id), await realm.session(user.id)]
    const provider = await realm.authProvider()
    const device = await newDevice(realm, user.id)
    for (const path of [
      `credentials/${device.id}`,
      `auth_providers/${provider.id}`,
      `users/${user.id}`,
      `orgs/${org.id}`,
      `memberships/${membership.id}`,
      `sessions/${session.id}`
    ]) {
      expect([path, (await root.get(`/v2/${path}`)).status]).toEqual([path, 200])
    }
    expect((await root.get(`/v2/realms/${realm.id}`)).id).toBe(realm.id)
    expect((await root.put(`/v2/users/${user.id}`, { user: { first_name: "Jo" } })).member("realm_id")).toBe(realm.id)
    expect((await root.delete(`/v2/orgs/${org.id}?force=true`)).status).toBe(202)
  })

  test("is the realm whose id is in the path, whatever realm the header names", async () => {
    const { realm, other } = await prepared()
    expect((await realm.get(`/v2/realms/${other.id}`)).id).toBe(other.id)
  })
})

describe("SEC-79: a request that names different realms", () => {
  test("returns 400 without creating a user, for every pair of query, body and header", async () => {
    const { root, realm, other } = await prepared()
    const header = { "x-service-realm": realm.id }
    const user = newUser({ realm_id: realm.id })
    const foreign = newUser({ realm_id: other.id })
    const query = `/v2/users?realm_id=${realm.id}`
    const calls = async () => [
      await root.post(query, { user: foreign }),
      await root.post("/v2/users", { user: foreign }, header),
      await root.post(`/v2/users?realm_id=${other.id}`, { user: newUser() }, header),
      await root.post("/v2/users", { user, realm_id: other.id }),
      await root.post(`${query}&realm_id=${other.id}`, { user: newUser() }),
      await root.post(`${query}&realm_id[]=${other.id}`, { user: newUser() }),
      await root.call("GET", `/v2/users?realm_id=${other.id}`, { headers: header }),
      await root.call("DELETE", `/v2/users/x@example.test?realm_id=${other.id}`, { headers: header }),
      await root.call("DELETE", `/v2/users/x@example.test?realm_id=${other.id}`, { body: { realm_id: realm.id } }),
      await root.post("/v2/api_keys", { api_key: { name: "K", level: "read", realm_id: other.id } }, header),
      await root.post("/v2/users/x@example.test/generate_password_token", { user: { realm_id: other.id } }, header),
      await root.put("/v2/users/x@example.test", { user: { realm_id: realm.id }, realm_id: other.id })
    ]
    const { result, events } = await realm.seen.during(calls)
    expect(result.map(({ status, errors }) => [status, errors])).toEqual(result.map(() => [400, [contradiction]]))
    expect(events).toEqual([])
  })

  test("returns 400 even if the API key is locked to one of these realms", async () => {
    const { realm, other } = await prepared()
    const locked = await realm.as("write")
    const headers = { "x-service-realm": realm.id }
    expect((await locked.post(`/v2/users?realm_id=${other.id}`, { user: newUser() }, headers)).status).toBe(400)
  })
})

describe("requests that name no realm return 422", () => {
  test.each([
    "/v1/events",
    "/v2/events",
    "/v1/users",
    "/v2/users",
    "/v2/orgs",
    "/v2/sessions",
    "/v2/memberships"
  ])("GET %s", async (path) => {
    const { root } = await prepared()
    const reply = await root.get(path)
    expect([reply.status, reply.errors]).toEqual([422, noRealm])
    expect(reply.member("error_details")).toEqual([
      {
        field: "realm_id",
        code: "blank",
        message: noRealm[0],
        params: { query: "realm_id", body: "realm_id", header: "X-Service-Realm" }
      }
    ])
  })

  test.each([
    ["/v1/users", { user: newUser({ user_type: "human", username: "jo" }) }],
    ["/v1/user_tokens", { user_token: newUser({ username: "jo", password: "correct horse battery" }) }],
    ["/v1/orgs", { org: { name: "Acme" } }],
    ["/v1/login_policies", { login_policy: { name: "Acme", login_handler: "https://app.example.test/login" } }],
    ["/v2/orgs", { org: { name: "Acme" } }],
    ["/v2/invitations", { invitation: { invitation_type: "referral", email: "jo@example.test" } }],
    ["/v2/client_apps", { client_app: { name: "Acme" } }]
  ])("POST %s", async (path, body) => {
    const { root } = await prepared()
    const reply = await root.post(path, body)
    expect([reply.status, reply.errors]).toEqual([422, noRealm])
  })

  test("POST /v2/users with empty realm ids", async () => {
    const { root } = await prepared()
    const reply = await root.post("/v2/users?realm_id=", { user: newUser({ realm_id: "" }) }, { "x-service-realm": "" })
    expect([reply.status, reply.errors]).toEqual([422, noRealm])
  })

  test("GET /v2/users/:email, because an email names no realm", async () => {
    const { root, realm } = await prepared()
    const email = (await realm.user()).string("email")
    const reply = await root.get(`/v2/users/${email}`)
    expect([reply.status, reply.errors]).toEqual([422, noRealm])
    expect((await realm.get(`/v2/users/${email}`)).status).toBe(200)
  })

  test.each(["v1", "v2"])("GET /auth_providers/:type, because a provider type names no realm (%s)", async (version) => {
    const { root, realm } = await prepared()
    const reply = await root.get(`/${version}/auth_providers/password`)
    expect([reply.status, reply.errors]).toEqual([422, noRealm])
    expect((await realm.get(`/${version}/auth_providers/password`)).status).toBe(200)
  })
})

test("returns 404 for a malformed id in the path, even without a realm", async () => {
  const { root } = await prepared()
  for (const [path, error] of [
    ["orgs/jo@example.test", "Org could not be found."],
    ["orgs/password", "Org could not be found."],
    ["users/password", "User could not be found."],
    ["auth_providers/jo@example.test", "Auth provider could not be found."],
    ["auth_providers/oauth2", "Auth provider could not be found."]
  ]) {
    const reply = await root.get(`/v2/${path}`)
    expect([path, reply.status, reply.errors]).toEqual([path, 404, [error]])
  }
})

test("finds only users of the request's realm for an email in the path", async () => {
  const { realm, other } = await prepared()
  const [mine, foreign] = [await realm.user(), await other.user()]
  expect((await realm.get(`/v2/users/${mine.string("email").toUpperCase()}`)).id).toBe(mine.id)
  expect((await realm.get(`/v2/users/${foreign.string("email")}`)).status).toBe(404)
})

test("accepts an email in the path that starts with the id of another realm", async () => {
  const { realm, other } = await prepared()
  const email = `${other.id}@example.test`
  const { id } = await realm.user({ email })
  expect((await realm.get(`/v2/users/${email}`)).id).toBe(id)
  expect((await (await realm.as("read")).get(`/v2/users/${email}`)).id).toBe(id)
})

test("returns 404 for a realm that does not exist, wherever the request names the realm", async () => {
  const { root, realm } = await prepared()
  for (const id of [unknownIdLike(realm.id), "nonsense", "rl_", "*"]) {
    const replies = [
      await root.get(`/v2/users?realm_id=${id}`),
      await new Api(root.transport, root.key, id).get("/v2/users"),
      await root.post("/v2/users", { user: newUser({ realm_id: id }) })
    ]
    for (const { status, errors } of replies) expect([status, errors]).toEqual([404, ["Realm could not be found."]])
  }
})

test("returns 404 for an unknown id in the path if the key is not locked to a realm", async () => {
  const { root, realm } = await prepared()
  const { id } = await realm.user()
  for (const path of [unknownIdLike(id), "nonsense", (await realm.org()).id, realm.id]) {
    const reply = await root.get(`/v2/users/${path}`)
    expect([path, reply.status, reply.errors]).toEqual([path, 404, ["User could not be found."]])
  }
})

test("ignores realm_id in the body of an update", async () => {
  const { root, realm, other } = await prepared()
  const { id } = await realm.user()
  for (const caller of [root, realm, await realm.as("write")]) {
    const { result, events } = await realm.seen.during(() =>
      caller.put(`/v2/users/${id}`, { user: { realm_id: other.id }, realm_id: other.id })
    )
    expect([result.status, result.member("realm_id"), events]).toEqual([200, realm.id, []])
  }
})
