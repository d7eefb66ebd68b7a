import { DateTime } from "effect"
import { describe, expect, test } from "vitest"
import { encodeId } from "#domain/Ids"
import type { Org } from "#domain/Org"
import { orgItem } from "#http/memberships/BodiesV1"
import { Api } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { noRealm } from "../support/noRealm.ts"
import { unknownIdLike } from "../support/resources.ts"
import { newRealm, service } from "../support/sallyport.ts"

const PASSWORD = "a long enough password"

const path = (idOrName: string, query = "") => `/v1/users/${encodeURIComponent(idOrName)}${query}`

const notFound = ["User could not be found."]

/** Ids and usernames that match no user of this realm: another realm's user, an unknown id, an org, malformed ids. */
const unknownNames = async (realm: GivenRealm): Promise<ReadonlyArray<string>> => {
  const theirs = await (await newRealm()).user({ username: uniqueText("theirs") })
  const org = await realm.org()
  const malformedNames = [
    theirs.id.toUpperCase(),
    `${theirs.id}0`,
    "usr_",
    "x",
    "--",
    "0",
    "%00",
    "\u0000",
    "x".repeat(300)
  ]
  return [
    theirs.id,
    theirs.string("username"),
    theirs.string("email"),
    unknownIdLike(theirs.id),
    org.id,
    ...malformedNames
  ]
}

describe("GET /v1/users/{user_id_or_username}", () => {
  test("returns a human user with credentials and membership_count, and records no event", async () => {
    const realm = await newRealm()
    const user = await realm.user({ username: "JoS", password: PASSWORD, first_name: "Jo", locale: "es" })
    await realm.membership(user.id, (await realm.org()).id)
    const { result, events } = await realm.seenV1.during(() => realm.get(path(user.id)))
    expect([result.status, events]).toEqual([200, []])
    expect(result.body).toEqual({
      id: user.id,
      object: "user",
      state: "active",
      realm_id: realm.id,
      user_type: "human",
      created_at: 1_767_225_600,
      last_login_at: null,
      reference: null,
      custom: {},
      username: "jos",
      email: user.string("email"),
      email_verification: "none",
      first_name: "Jo",
      last_name: null,
      name: "Jo",
      credentials: [{ credential_type: "password", id: expect.stringMatching(/^crd_/), object: "credential" }],
      membership_count: 1
    })
  })

  test("returns an API user without the attributes that only human users have", async () => {
    const realm = await newRealm()
    const user = await realm.apiUser({ username: "Robot", email: "Ops@Example.test" })
    const { result, events } = await realm.seenV1.during(() => realm.get(path(user.id)))
    expect([result.status, events]).toEqual([200, []])
    expect(result.body).toEqual({
      id: user.id,
      object: "user",
      state: "active",
      realm_id: realm.id,
      user_type: "api",
      created_at: 1_767_225_600,
      last_login_at: null,
      reference: null,
      custom: {},
      username: "robot",
      email: "ops@example.test",
      name: "Robot",
      credentials: [],
      membership_count: 0,
      api_key: null
    })
  })

  test("returns usernames and emails in lowercase, and finds users by mixed case and any Unicode form", async () => {
    const realm = await newRealm()
    const user = await realm.user({ username: "\u00c9va", email: "EVA@Example.test" })
    expect([user.member("username"), user.member("email")]).toEqual(["\u00c9va", "eva@example.test"])
    for (const typed of ["\u00e9va", "E\u0301VA", "\u00c9ｖａ", " \u00e9va "]) {
      const reply = await realm.get(path(typed))
      expect([reply.member("id"), reply.member("username")]).toEqual([user.id, "\u00e9va"])
    }
  })

  test.each([
    "a/b",
    "100%25",
    "a?b#c",
    "o'brien&co=1",
    "a b",
    "usr_jo",
    "rl_jo",
    "-",
    "😀",
    "n".repeat(255)
  ])("finds any username: %s", async (username) => {
    const realm = await newRealm()
    const { id } = await realm.user({ username })
    expect((await realm.get(path(username))).member("id")).toBe(id)
  })

  test("finds an API user by username", async () => {
    const realm = await newRealm()
    const { id } = await realm.apiUser({ username: "Robot" })
    expect((await realm.get(path("ROBOT"))).member("id")).toBe(id)
  })

  test("returns 422 for a username if the request names no realm", async () => {
    const { given } = await service()
    const realm = await newRealm()
    const user = await realm.user({ username: "jo" })
    for (const name of ["jo", "nonsense", "usr_", "--", user.string("email")]) {
      const reply = await given.root.get(path(name))
      expect([name, reply.status, reply.errors]).toEqual([name, 422, noRealm])
      const found = await given.root.get(path(name, `?realm_id=${realm.id}`))
      expect([name, found.status]).toEqual([name, name === "jo" ? 200 : 404])
    }
    expect((await given.root.get(path(user.id))).status).toBe(200)
    expect((await (await realm.as("read")).get(path("jo"))).status).toBe(200)
  })

  test("includes memberships and their orgs, with custom attributes, for expand=memberships", async () => {
    const realm = await newRealm()
    const user = await realm.user({ username: "jo" })
    const org = await realm.org({ reference: "7", custom: { a: 1 } })
    const membership = await realm.membership(user.id, org.id, { permissions: ["a"], expires_at: 1_800_000_000.5 })
    const { result, events } = await realm.seenV1.during(() => realm.get(path("jo", "?expand=memberships")))
    expect(events).toEqual([])
    expect(result.member("memberships")).toEqual([
      {
        id: membership.id,
        object: "membership",
        org_id: org.id,
        user_id: user.id,
        permissions: ["a"],
        custom: {},
        expires_at: 1_800_000_000.5,
        org: {
          id: org.id,
          object: "org",
          state: "active",
          name: org.string("name"),
          realm_id: realm.id,
          reference: "7",
          created_at: 1_767_225_600,
          custom: { a: 1 }
        }
      }
    ])
    expect((await realm.get(path("jo"))).member("memberships")).toBeUndefined()
  })

  test("shows a closed org as inactive", () => {
    const org: Org = {
      id: encodeId("org", { millis: 0, random: [0, 0] }),
      realmId: encodeId("realm", { millis: 0, random: [0, 0] }),
      state: "closed",
      name: "Acme",
      reference: null,
      custom: {},
      createdAt: DateTime.makeUnsafe(0)
    }
    expect(orgItem(org, false).state).toBe("inactive")
    expect(orgItem({ ...org, state: "active" }, false).state).toBe("active")
  })

  test("includes a membership without an org in the expansion", async () => {
    const realm = await newRealm()
    const user = await realm.apiUser({ permissions: "a b" })
    const reply = await realm.get(path(user.id, "?expand=memberships"))
    expect(reply.member("memberships")).toMatchObject([{ org_id: null, permissions: ["a", "b"] }])
    expect([reply.member("memberships", 0, "org"), reply.member("membership_count")]).toEqual([undefined, 1])
  })

  test.each(["custom", "everything", "memberships,custom"])("rejects expand=%s", async (expand) => {
    const realm = await newRealm()
    const reply = await realm.get(path((await realm.user()).id, `?expand=${expand}`))
    expect([reply.status, reply.errors]).toEqual([422, ["Expand must be one of: memberships."]])
  })

  test("returns the same 404 for every id or username that matches no user", async () => {
    const realm = await newRealm()
    for (const stranger of await unknownNames(realm)) {
      const reply = await realm.get(path(stranger))
      expect([stranger, reply.status, reply.errors]).toEqual([stranger, 404, notFound])
    }
  })
})

describe("CVE-2026-19607: a username equal to another user's email", () => {
  test("finds the user with that username, and both users can still log in", async () => {
    const realm = await newRealm()
    const victim = await realm.user({ username: "victim", email: "victim@example.test" })
    const attacker = await realm.user({ username: "Taker@Example.test", email: "taker@example.test" })
    expect((await realm.get(path("taker@example.test"))).id).toBe(attacker.id)
    expect((await realm.put(path("victim"), { user: { username: "taker@example.test" } })).status).toBe(422)
    expect((await realm.get(path("victim@example.test"))).status).toBe(404)
    expect((await realm.get(path("victim"))).id).toBe(victim.id)
    expect((await realm.get("/v2/users/victim@example.test")).id).toBe(victim.id)
    expect((await realm.put(path("victim"), { user: { first_name: "V" } })).id).toBe(victim.id)
  })

  test("finds the owner of the email if emails are the usernames", async () => {
    const realm = await newRealm()
    const attacker = await realm.user({ username: "victim@example.test", email: "victim@example.test" })
    const robot = await realm.apiUser({ username: "VICTIM2@example.test", email: "victim2@example.test" })
    expect((await realm.get(path("victim2@example.test"))).id).toBe(robot.id)
    await realm.put(path(attacker.id), { user: { email: "taker@example.test" } })
    await realm.put(path(robot.id), { user: { email: "robot@example.test" } })
    await realm.put(`/v1/realms/${realm.id}`, { realm: { username_validation_human: "email" } })
    expect((await realm.get(path("victim@example.test"))).status).toBe(404)
    expect((await realm.get(path("victim2@example.test"))).status).toBe(404)
    const victim = await realm.user({ email: "victim@example.test" })
    const second = await realm.user({ email: "victim2@example.test" })
    expect((await realm.get(path("victim@example.test"))).id).toBe(victim.id)
    expect((await realm.get(path("victim2@example.test"))).id).toBe(second.id)
    expect((await realm.get(path("taker@example.test"))).id).toBe(attacker.id)
  })
})

describe("DELETE /v1/users/{user_id_or_username}", () => {
  test("returns 204 and deletes everything that belongs to the user", async () => {
    const realm = await newRealm()
    const user = await realm.user({ username: "jo", password: PASSWORD })
    const membership = await realm.membership(user.id, (await realm.org()).id)
    const session = await realm.session(user.id)
    const { result, events } = await realm.seenV1.during(() => realm.delete(path("JO")))
    expect([result.status, result.text]).toEqual([204, ""])
    expect(events).toEqual([
      { event_type: "user.deleted", user_id: user.id },
      {
        event_type: "membership.deleted",
        membership_id: membership.id,
        org_id: membership.string("org_id"),
        user_id: user.id
      }
    ])
    expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(404)
    for (const deletedName of [user.id, "jo"]) {
      const silent = await realm.seenV1.during(async () => [
        await realm.get(path(deletedName)),
        await realm.put(path(deletedName), { user: { first_name: "Al" } }),
        await realm.delete(path(deletedName))
      ])
      expect(silent.result.map(({ status, errors }) => [status, errors])).toEqual(Array(3).fill([404, notFound]))
      expect(silent.events).toEqual([])
    }
    expect((await realm.user({ username: "Jo" })).status).toBe(201)
  })

  test("deletes the keys of an API user", async () => {
    const realm = await newRealm()
    const key = "robot-key-0123456789abcdef"
    const user = await realm.apiUser({ api_key: key })
    const { result, events } = await realm.seenV1.during(() => realm.delete(path(user.id)))
    expect([result.status, events]).toEqual([204, [{ event_type: "user.deleted", user_id: user.id }]])
    expect((await realm.apiUser({ api_key: key })).status).toBe(201)
  })

  test("returns 404 and records no event for every id or username that matches no user", async () => {
    const realm = await newRealm()
    for (const stranger of await unknownNames(realm)) {
      const { result, events } = await realm.seenV1.during(() => realm.delete(path(stranger)))
      expect([stranger, result.status, result.errors, events]).toEqual([stranger, 404, notFound, []])
    }
  })

  test("requires a key of level write", async () => {
    const realm = await newRealm()
    const { id } = await realm.user()
    expect((await (await realm.as("read")).delete(path(id))).status).toBe(403)
    expect((await new Api(realm.transport, undefined, realm.id).delete(path(id))).status).toBe(401)
    expect((await (await realm.as("write")).delete(path(id))).status).toBe(204)
  })
})
