import { describe, expect, test } from "vitest"
import type { Api } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { statusAndErrors } from "../support/logins.ts"
import { unknownIdLike } from "../support/resources.ts"
import { newRealm } from "../support/sallyport.ts"

const orgNotFound = [404, ["Org could not be found."]]

/** Ids that match no org of this realm. */
const unknownIds = async (realm: GivenRealm): Promise<ReadonlyArray<string>> => {
  const theirs = await (await newRealm()).org()
  return [theirs.id, unknownIdLike(theirs.id), `${theirs.id}0`, "org_", "x", "--", (await realm.user()).id]
}

describe("PUT /v1/orgs/{org_id}", () => {
  test("returns 200 with the org, changes only the given members, and records org.updated", async () => {
    const realm = await newRealm()
    const org = await realm.org({ name: "Acme", reference: "a-1", custom: { a: 1, gone: true } })
    const before = { name: "Acme", reference: "a-1", custom: { a: 1, gone: true }, state: "active" }
    const changes = [{ name: "Acme 2" }, { reference: null }, { custom: { A: [1, "x"] } }, { state: "inactive" }]
    for (const change of [...changes, { state: "active", custom: null }]) {
      const { result, events } = await realm.seenV1.during(() => realm.put(`/v1/orgs/${org.id}`, { org: change }))
      Object.assign(before, change, "custom" in change ? { custom: change.custom ?? {} } : {})
      expect([result.status, result.body]).toEqual([200, expect.objectContaining(before)])
      expect(events).toEqual([{ event_type: "org.updated", org_id: org.id }])
      expect((await realm.get(`/v1/orgs/${org.id}`)).body).toEqual(result.body)
    }
  })

  test("records no event for an update without changes or with only read-only members", async () => {
    const realm = await newRealm()
    const org = await realm.org({ name: "Acme", reference: "r", custom: { a: [1] } })
    const before = (await realm.get(`/v1/orgs/${org.id}`)).body
    const same = [{}, { name: "Acme" }, { reference: "r", state: "active" }, { custom: { a: [1] } }]
    const readOnly = { id: "org_x", object: "user", created_at: 1, memberships: [{}], new_record: false, x: 1 }
    const events = await realm.seen.caused(async () => {
      for (const change of [...same, { ...readOnly, realm_id: unknownIdLike(realm.id) }]) {
        const reply = await realm.put(`/v1/orgs/${org.id}`, { org: change })
        expect([reply.status, reply.body]).toEqual([200, before])
      }
    })
    expect(events).toEqual([])
  })

  test("returns 422 for invalid attributes without changing the org", async () => {
    const realm = await newRealm()
    const org = await realm.org()
    const before = (await realm.get(`/v1/orgs/${org.id}`)).body
    const wrong = [{ name: "" }, { name: null }, { name: [] }, { state: "closed" }, { state: null }, { custom: 1 }]
    const events = await realm.seen.caused(async () => {
      for (const change of [...wrong, { reference: "x".repeat(256) }, { custom: { ä: 1 } }]) {
        expect((await realm.put(`/v1/orgs/${org.id}`, { org: { name: "new", ...change } })).status).toBe(422)
      }
      expect((await realm.put(`/v1/orgs/${org.id}`, {})).status).toBe(400)
    })
    expect(events).toEqual([])
    expect((await realm.get(`/v1/orgs/${org.id}`)).body).toEqual(before)
  })

  test("returns 422 for any update of a closed org", async () => {
    const realm = await newRealm()
    const org = await realm.org({ state: "closed" })
    const events = await realm.seen.caused(async () => {
      for (const change of [{ state: "active" }, { state: "inactive" }, { name: "x" }, {}]) {
        const reply = await realm.put(`/v1/orgs/${org.id}`, { org: change })
        expect(statusAndErrors(reply)).toEqual([422, ["The org is permanently closed and can't be changed."]])
      }
    })
    expect(events).toEqual([])
    expect((await realm.get(`/v2/orgs/${org.id}`)).member("state")).toBe("closed")
  })
})

describe("DELETE /v1/orgs/{org_id}", () => {
  test("returns 204, and records org.deleted and a membership.deleted for each membership", async () => {
    const realm = await newRealm()
    const [org, other] = [await realm.org(), await realm.org()]
    const [one, two] = [await realm.user(), await realm.apiUser()]
    const deletedMemberships = [await realm.membership(one.id, org.id), await realm.membership(two.id, org.id)]
    const kept = await realm.membership(one.id, other.id)
    const own = await realm.post("/v1/memberships", { membership: { user_id: one.id } })
    const { result, events } = await realm.seenV1.during(() => realm.delete(`/v1/orgs/${org.id}`))
    expect([result.status, result.text]).toEqual([204, ""])
    expect(events).toEqual([
      { event_type: "org.deleted", org_id: org.id },
      ...deletedMemberships.map((membership) => ({
        event_type: "membership.deleted",
        membership_id: membership.id,
        user_id: membership.string("user_id"),
        org_id: org.id
      }))
    ])
    const remaining = await realm.get(`/v1/memberships?user_id=${one.id}`)
    expect(remaining.items.map(({ id }) => id)).toEqual([kept.id, own.id])
    for (const path of [`/v1/orgs/${org.id}`, `/v2/orgs/${org.id}`]) {
      expect(statusAndErrors(await realm.get(path))).toEqual(orgNotFound)
    }
    expect(statusAndErrors(await realm.delete(`/v1/orgs/${org.id}`))).toEqual(orgNotFound)
  })

  test("also deletes a closed org, and ignores force", async () => {
    const realm = await newRealm()
    for (const query of ["", "?force=false", "?force=true"]) {
      const org = await realm.org({ state: "closed" })
      const { result, events } = await realm.seenV1.during(() => realm.delete(`/v1/orgs/${org.id}${query}`))
      expect([result.status, events]).toEqual([204, [{ event_type: "org.deleted", org_id: org.id }]])
      expect(statusAndErrors(await realm.get(`/v2/orgs/${org.id}`))).toEqual(orgNotFound)
    }
  })

  test("succeeds for exactly one of several concurrent requests", async () => {
    const realm = await newRealm()
    const { id } = await realm.org()
    const remove = () => realm.delete(`/v1/orgs/${id}`)
    const { result, events } = await realm.seenV1.during(() => Promise.all([remove(), remove(), remove()]))
    expect(result.map(({ status }) => status).toSorted()).toEqual([204, 404, 404])
    expect(events).toEqual([{ event_type: "org.deleted", org_id: id }])
  })
})

test("every operation returns the same 404 for an id that matches no org of the realm", async () => {
  const realm = await newRealm()
  const locked = await realm.as("write")
  for (const id of await unknownIds(realm)) {
    const path = `/v1/orgs/${id}`
    const { result, events } = await realm.seen.during(async () => [
      await realm.get(path),
      await locked.get(`${path}?expand=memberships`),
      await locked.put(path, { org: { name: "x" } }),
      await realm.delete(path)
    ])
    expect([id, result.map(statusAndErrors), events]).toEqual([id, Array(4).fill(orgNotFound), []])
  }
})

test("GET requires level read; POST, PUT and DELETE require level write", async () => {
  const realm = await newRealm()
  const { id } = await realm.org()
  const [reader, writer] = [await realm.as("read"), await realm.as("write")]
  expect((await reader.get("/v1/orgs")).status).toBe(200)
  expect((await reader.get(`/v1/orgs/${id}`)).status).toBe(200)
  const statusesFor = async (api: Api) => [
    (await api.post("/v1/orgs", { org: { name: "x" } })).status,
    (await api.put(`/v1/orgs/${id}`, { org: { name: "x" } })).status,
    (await api.delete(`/v1/orgs/${id}`)).status
  ]
  expect(await realm.seen.caused(async () => expect(await statusesFor(reader)).toEqual([403, 403, 403]))).toEqual([])
  expect(await statusesFor(writer)).toEqual([201, 200, 204])
})
