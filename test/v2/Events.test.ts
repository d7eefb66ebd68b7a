import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { STARTS_AT } from "#testing/TestSallyport"
import { noRealm } from "../support/noRealm.ts"
import { eventsOfCreation, ownProviders } from "../support/realms.ts"
import { newRealm, ownService, service } from "../support/sallyport.ts"

const types = (reply: Reply) => reply.items.map(({ event_type }) => event_type)

const ids = (reply: Reply) => reply.items.map(({ id }) => id)

const now = STARTS_AT / 1000

/** A well-formed id that does not exist. */
const unknownId = (id: string) => id.replace(/.{4}$/, "zzzz")

/** A realm with a few events of every kind. */
const realmWithEvents = async () => {
  const given = await newRealm()
  const user = await given.user({ email_verification: "requested" })
  const other = await given.user()
  const org = await given.org()
  const membership = await given.membership(user.id, org.id)
  await given.membership(other.id, org.id)
  const session = await given.session(user.id)
  await given.delete(`/v2/sessions/${session.id}`)
  await given.put(`/v2/orgs/${org.id}`, { org: { name: "Renamed" } })
  return { given, user, other, org, membership, session }
}

const expectedTypes = [
  ...eventsOfCreation,
  "user.created",
  "user.email.verifying",
  "user.created",
  "org.created",
  "membership.created",
  "membership.created",
  "session.deleted",
  "org.updated"
]

describe("an event", () => {
  test("has id, object, event_type, event_at, realm_id, request and the ids of related resources", async () => {
    const { given, user, org, membership } = await realmWithEvents()
    const list = await given.get(`/v2/events?membership_id=${membership.id}`)
    expect(list.status).toBe(200)
    const event = {
      id: expect.stringMatching(/^ev_\w{26}$/),
      object: "event",
      event_type: "membership.created",
      event_at: now,
      realm_id: given.id,
      user_id: user.id,
      org_id: org.id,
      membership_id: membership.id,
      actor: { type: "api_key", id: expect.stringMatching(/^key_\w{26}$/) },
      request: { ip: null, client: null }
    }
    expect(list.body).toEqual({ collection: [event], more_results: false })
    const [id] = ids(list)
    const v1 = await given.get(`/v1/events/${String(id)}`)
    expect([v1.status, v1.body]).toEqual([200, event])
    const v2 = await given.get(`/v2/events/${String(id)}`)
    expect([v2.status, v2.body]).toEqual([200, { ...event, notifications: [] }])
  })

  test("names only related resources and never contains a secret", async () => {
    const given = await newRealm()
    await given.user({ email: "secret@example.test", password: "correct horse battery", custom: { a: "hidden" } })
    const { text, items } = await given.get("/v2/events")
    expect(items.map((event) => Object.keys(event).filter((name) => name.endsWith("_id")))).toEqual([
      ["realm_id"],
      ...ownProviders.map(() => ["realm_id", "auth_provider_id"]),
      ["realm_id", "user_id"]
    ])
    for (const word of ["secret", "correct", "hidden", "jsk_"]) expect(text).not.toContain(word)
  })

  test("includes the request attributes {client, ip} of the create, update or delete", async () => {
    const given = await newRealm()
    const request = { client: "web 1.0", ip: "192.0.2.7" }
    const org = await given.post("/v2/orgs", { org: { name: "Acme" }, request })
    const path = `/v2/orgs/${org.id}`
    await given.put(path, { org: { name: "Acme 2" }, request: { ip: "2001:db8::1" } })
    await given.call("DELETE", path, { body: { request: { client: null, ip: "x", other: 1 } } })
    await given.call("DELETE", path, { body: { force: true, request } })
    expect((await given.get(`/v2/events?org_id=${org.id}`)).items.map((event) => event["request"])).toEqual([
      request,
      { ip: "2001:db8::1", client: null },
      { ip: "x", client: null },
      request
    ])
    const wrong = { org: { name: "x" }, request: { ip: 7 } }
    expect((await given.post("/v2/orgs", wrong)).status).toBe(422)
  })

  test("remains after the resource in the event is deleted", async () => {
    const { given, user, session } = await realmWithEvents()
    await given.delete(`/v2/users/${user.id}`)
    const userEvents = await given.get(`/v2/events?user_id=${user.id}&direction=desc`)
    expect(types(userEvents).slice(0, 3)).toEqual(["membership.deleted", "user.deleted", "session.deleted"])
    expect(types(await given.get(`/v2/events?session_id=${session.id}`))).toEqual(["session.deleted"])
  })
})

describe("GET /v1/events and /v2/events", () => {
  test("return the same events in order, named as in the requested API version", async () => {
    const { given } = await realmWithEvents()
    expect(types(await given.get("/v2/events"))).toEqual(expectedTypes)
    const v1 = expectedTypes.filter((type) => type !== "session.deleted")
    expect(types(await given.get("/v1/events"))).toEqual(
      v1.map((type) => (type === "user.email.verifying" ? "user.email.verification_requested" : type))
    )
    const [verifying] = (await given.get("/v2/events?event_type=user.email.verifying")).items
    const read = async (version: string) =>
      (await given.get(`/${version}/events/${String(verifying?.["id"])}`)).member("event_type")
    expect([await read("v1"), await read("v2")]).toEqual(["user.email.verification_requested", "user.email.verifying"])
  })

  test("show session.deleted only in v2", async () => {
    const { given, session } = await realmWithEvents()
    const list = (version: string, query: string) => given.get(`/${version}/events?${query}`)
    const [id] = ids(await list("v2", `session_id=${session.id}`))
    for (const query of ["event_type=session.deleted", `session_id=${session.id}`, "event_type=session."]) {
      expect(ids(await list("v2", query))).toEqual([id])
      expect(ids(await list("v1", query))).toEqual([])
    }
    const reply = await given.get(`/v1/events/${String(id)}`)
    expect([reply.status, reply.errors]).toEqual([404, ["Event could not be found."]])
    for (const version of ["v1", "v2"])
      expect(types(await list(version, `after=${String(id)}`))).toEqual(["org.updated"])
  })

  test("filter by each *_id, separately and combined", async () => {
    const { given, user, other, org, membership, session } = await realmWithEvents()
    const [provider] = (await given.get("/v2/events?event_type=auth_provider.")).items
    const providerId = String(provider?.["auth_provider_id"])
    for (const [query, expected] of [
      [`user_id=${other.id}`, ["user.created", "membership.created"]],
      [`org_id=${org.id}`, ["org.created", "membership.created", "membership.created", "org.updated"]],
      [`membership_id=${membership.id}`, ["membership.created"]],
      [`session_id=${session.id}`, ["session.deleted"]],
      [`auth_provider_id=${providerId}`, ["auth_provider.created"]],
      [`org_id=${org.id}&user_id=${user.id}`, ["membership.created"]],
      [`user_id=${user.id}&event_type=user.`, ["user.created", "user.email.verifying"]],
      [`user_id=${user.id}&session_id=${session.id}&event_type=user.`, []],
      [`user_id=${unknownId(user.id)}`, []],
      [`user_id=${org.id}`, []],
      ["org_id=x", []],
      ["org_id=", []]
    ] as const) {
      expect(types(await given.get(`/v2/events?${query}`)), query).toEqual(expected)
    }
  })

  test("match event_type as a prefix, and accept several types and the names of both versions", async () => {
    const { given } = await realmWithEvents()
    const email = { v1: "user.email.verification_requested", v2: "user.email.verifying" }
    const memberships = ["membership.created", "membership.created"]
    for (const version of ["v1", "v2"] as const) {
      for (const [query, expected] of [
        ["event_type=user.email.verifying", [email[version]]],
        ["event_type=user.email.verification_requested", [email[version]]],
        ["event_type=user.e", [email[version]]],
        ["event_type=user", ["user.created", email[version], "user.created"]],
        ["event_type=realm,membership.", ["realm.created", ...memberships]],
        ["event_type=membership.&event_type=realm.created", ["realm.created", ...memberships]],
        ["event_type[]=org.u&event_type[]=org.c", ["org.created", "org.updated"]],
        ["event_type=org.updated,org.,org.up", ["org.created", "org.updated"]],
        ["event_type=session.d", version === "v2" ? ["session.deleted"] : []]
      ] as const) {
        expect(types(await given.get(`/${version}/events?${query}`)), `${version} ${query}`).toEqual(expected)
      }
    }
  })

  test("return 422 in /v2 and an empty list in /v1 for an event_type prefix that matches no type", async () => {
    const { given } = await realmWithEvents()
    const known =
      "api_key, app_hook, auth_provider, console, domain, hook, invitation, login_policy, membership, oauth, operator, org, realm, session, token, user"
    for (const [query, ...expectedTypes] of [
      ["event_type=user.createed", ["user.createed", "user.created"]],
      ["event_type=membership.created2,org.,zzz", ["membership.created2", "membership.created"], ["zzz", undefined]],
      [
        "event_type[]=user.email.verification_reqested",
        ["user.email.verification_reqested", "user.email.verification_requested"]
      ],
      ["event_type=ORG.", ["ORG.", "org.created"]],
      ["event_type=client_app.,hook.created", ["client_app.", "login_policy."], ["hook.created", "app_hook.created"]],
      ["event_type=%25&event_type=%25", ["%", undefined]]
    ] as const) {
      expect((await given.get(`/v1/events?user_id=x&${query}`)).status).toBe(200)
      const reply = await given.get(`/v2/events?${query}`)
      const details = expectedTypes.map(([prefix, nearest]) => {
        const suggestion = nearest === undefined ? "" : ` Did you mean ${nearest}?`
        return {
          field: "event_type",
          code: "unknown_event_type",
          message: `No event type begins with "${prefix}".${suggestion} Event types begin with: ${known}.`,
          params: { prefix, ...(nearest === undefined ? {} : { nearest }), known },
          allowed: known.split(", ")
        }
      })
      expect([query, reply.status, reply.member("error_details")]).toEqual([query, 422, details])
    }
    for (const prefix of ["created", "membership.created2", "ORG.", "%25"]) {
      expect(types(await given.get(`/v1/events?event_type=${prefix}`)), prefix).toEqual([])
    }
  })

  test("return only events after created_at_after, to the millisecond, in both directions", () =>
    ownService(async ({ given, clock }) => {
      const mine = await given.realm()
      const seen: Array<unknown> = []
      for (const wait of [1, 499, 500, 9_000]) {
        clock.advance(wait)
        await mine.org()
      }
      expect((await mine.get("/v2/events?event_type=org.")).items.map((event) => event["event_at"])).toEqual(
        [0.001, 0.5, 1, 10].map((seconds) => now + seconds)
      )
      for (const after of [0, 0.001, 0.499, 0.5, 0.999, 1, 9.999, 10]) {
        const query = `event_type=org.&created_at_after=${now + after}`
        const [up, down] = [await mine.get(`/v2/events?${query}`), await mine.get(`/v2/events?${query}&direction=desc`)]
        expect(ids(down)).toEqual(ids(up).toReversed())
        seen.push(up.items.length)
      }
      expect(seen).toEqual([4, 3, 3, 2, 2, 1, 1, 0])
      expect((await mine.get("/v2/events?created_at_after=0")).items.length).toBe(eventsOfCreation.length + 4)
      for (const wrong of ["yesterday", "-1", "1e9", "", "2026-01-01", "999999999999999"]) {
        expect((await mine.get(`/v2/events?created_at_after=${wrong}`)).status, wrong).toBe(422)
      }
    }))

  test("page in both directions with any filter, and return each event once", async () => {
    const { given, user } = await realmWithEvents()
    const types = "event_type=membership.,user.,session."
    for (const filter of ["", `user_id=${user.id}`, types, `${types}&user_id=${user.id}`, "created_at_after=0"]) {
      const asc = ids(await given.get(`/v2/events?${filter}`))
      for (const direction of ["asc", "desc"]) {
        const seen: Array<unknown> = []
        for (let after = "", more = true; more; after = `&after=${String(seen.at(-1))}`) {
          const page = await given.get(`/v2/events?${filter}&direction=${direction}&sort=id&max_results=2${after}`)
          expect(page.items.length).toBeGreaterThan(0)
          seen.push(...ids(page))
          more = page.member("more_results") === true
        }
        expect(seen).toEqual(direction === "asc" ? asc : asc.toReversed())
      }
    }
  })

  test("return 404 for an unknown, malformed or another realm's id, and for a malformed `after`", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const [[mine], [foreign]] = [ids(await given.get("/v2/events")), ids(await other.get("/v2/events"))]
    const reader = await given.as("read")
    for (const id of [String(foreign), unknownId(String(mine)), "ev_x", "x", given.id, `${String(mine)}0`]) {
      for (const api of [given, reader]) {
        // A realm id in the path selects that realm.
        const isValidPosition = id === foreign || id === unknownId(String(mine))
        const paths = [...(id === given.id ? [] : [`events/${id}`]), ...(isValidPosition ? [] : [`events?after=${id}`])]
        for (const path of paths) {
          for (const version of ["v1", "v2"]) {
            const reply = await api.get(`/${version}/${path}`)
            expect([reply.status, reply.errors], path).toEqual([404, ["Event could not be found."]])
          }
        }
      }
    }
  })

  test("require a realm, and show no event of another realm", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const { root } = (await service()).given
    await other.user()
    expect(types(await given.get("/v2/events"))).toEqual(eventsOfCreation)
    const reply = await root.get("/v2/events")
    expect([reply.status, reply.errors]).toEqual([422, noRealm])
    expect(types(await root.get(`/v1/events?realm_id=${given.id}`))).toEqual(eventsOfCreation)
  })

  test("require level read, and reject unknown parameter values", async () => {
    const reader = await (await newRealm()).as("read")
    for (const version of ["v1", "v2"]) {
      expect((await reader.get(`/${version}/events?max_results=1000`)).status).toBe(200)
      for (const wrong of ["sort=event_at", "direction=up", "max_results=0", "max_results=1001", "user_id=%00"]) {
        expect((await reader.get(`/${version}/events?${wrong}`)).status, wrong).toBe(422)
      }
      for (const method of ["POST", "PUT", "DELETE"]) {
        expect((await reader.call(method, `/${version}/events`)).status).toBe(405)
      }
    }
  })
})
