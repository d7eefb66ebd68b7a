import { describe, expect, test } from "vitest"
import type { Api } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { statusAndErrors } from "../support/logins.ts"
import { unknownIdLike } from "../support/resources.ts"
import { newRealm } from "../support/sallyport.ts"

const noMembership = [404, ["Membership could not be found."]]

/** A membership of an org, and one without an org. */
const createBoth = async (realm: GivenRealm, attributes: Readonly<Record<string, unknown>> = {}) => {
  const [{ id: user_id }, { id: org_id }] = [await realm.user(), await realm.org()]
  return [
    await realm.post("/v1/memberships", { membership: { user_id, org_id, ...attributes } }),
    await realm.post("/v1/memberships", { membership: { user_id, ...attributes } })
  ] as const
}

const idsOf = (body: unknown) => {
  const { id: membership_id, user_id, org_id } = Object(body)
  return org_id === null ? { membership_id, user_id } : { membership_id, user_id, org_id }
}

describe("PUT /v1/memberships/{membership_id}", () => {
  test("changes only the given members and records membership.updated", async () => {
    const realm = await newRealm()
    for (const created of await createBoth(realm, { permissions: "a", custom: { a: 1 } })) {
      const path = `/v1/memberships/${created.id}`
      const { new_record: _, ...before } = JSON.parse(created.text)
      for (const [change, after] of [
        [{ permissions: ["b", "c"] }, { permissions: ["b", "c"] }],
        [{ permissions: "c  d c" }, { permissions: ["c", "d"] }],
        [{ custom: { A: [1, "x", null], b: true } }, { custom: { A: [1, "x", null], b: true } }],
        [{ custom: null }, { custom: {} }],
        [{ permissions: null }, { permissions: [] }],
        [{ expires_at: 1_800_000_000.5 }, { expires_at: 1_800_000_000.5 }],
        [{ expires_at: null, permissions: "" }, { expires_at: null }]
      ] as const) {
        const { result, events } = await realm.seenV1.during(() => realm.put(path, { membership: change }))
        expect([result.status, result.body]).toEqual([200, Object.assign(before, after)])
        expect(events).toEqual([{ event_type: "membership.updated", ...idsOf(created.body) }])
        expect((await realm.get(path)).body).toEqual(result.body)
      }
    }
  })

  test("ignores org_id and user_id, and records no event if nothing changes", async () => {
    const realm = await newRealm()
    const other = { user_id: (await realm.user()).id, org_id: (await realm.org()).id }
    for (const created of await createBoth(realm, { permissions: "a b", custom: { a: 1 } })) {
      const { new_record: _, ...before } = JSON.parse(created.text)
      const same = { permissions: ["a", "b"], custom: { a: 1 }, expires_at: null }
      const events = await realm.seen.caused(async () => {
        for (const membership of [
          {},
          other,
          { org_id: null },
          same,
          { ...same, ...other, id: "mb_x", created_at: 1 }
        ]) {
          const reply = await realm.put(`/v1/memberships/${created.id}`, { membership })
          expect([reply.status, reply.body]).toEqual([200, before])
        }
      })
      expect(events).toEqual([])
    }
  })

  test("returns 422 for invalid attributes without changing the membership", async () => {
    const realm = await newRealm()
    const [{ id }] = await createBoth(realm, { permissions: "a" })
    const before = (await realm.get(`/v1/memberships/${id}`)).body
    const tags = Array.from({ length: 21 }, (_, n) => `p${n}`)
    const events = await realm.seen.caused(async () => {
      for (const wrong of [
        { permissions: "ar:root" },
        { permissions: tags },
        { permissions: tags.join(" ") },
        { permissions: {} },
        { permissions: [1] },
        { custom: [] },
        { custom: { "": 1 } },
        { expires_at: 1 },
        { expires_at: "soon" }
      ]) {
        const membership = { custom: { new: true }, permissions: "new", ...wrong }
        expect([wrong, (await realm.put(`/v1/memberships/${id}`, { membership })).status]).toEqual([wrong, 422])
      }
      expect((await realm.put(`/v1/memberships/${id}`, { permissions: "a" })).status).toBe(400)
    })
    expect(events).toEqual([])
    expect((await realm.get(`/v1/memberships/${id}`)).body).toEqual(before)
  })
})

test("DELETE returns 204 and records membership.deleted, and a new membership can be created afterward", async () => {
  const realm = await newRealm()
  for (const created of await createBoth(realm)) {
    const path = `/v1/memberships/${created.id}`
    const { result, events } = await realm.seenV1.during(() => realm.delete(path))
    expect([result.status, result.text]).toEqual([204, ""])
    expect(events).toEqual([{ event_type: "membership.deleted", ...idsOf(created.body) }])
    const repeated = await realm.seen.during(() => realm.delete(path))
    expect([...statusAndErrors(repeated.result), repeated.events]).toEqual([...noMembership, []])
    const { user_id, org_id } = JSON.parse(created.text)
    const next = await realm.post("/v1/memberships", { membership: { user_id, org_id } })
    expect([next.status, next.id === created.id]).toEqual([201, false])
  }
})

test("deleting a user also deletes the user's membership without an org, and records membership.deleted", async () => {
  const realm = await newRealm()
  const created = await createBoth(realm)
  const user_id = created[0].string("user_id")
  const events = await realm.seenV1.caused(() => realm.delete(`/v1/users/${user_id}`))
  expect(events).toEqual([
    { event_type: "user.deleted", user_id },
    ...created.map(({ body }) => ({ event_type: "membership.deleted", ...idsOf(body) }))
  ])
})

test("SEC-50: every operation returns the same 404 for an id that matches no membership of the realm", async () => {
  const [realm, other] = [await newRealm(), await newRealm()]
  const theirs = await createBoth(other)
  const locked = await realm.as("write")
  const events = await other.seen.caused(async () => {
    for (const id of [
      ...theirs.map((created) => created.id),
      unknownIdLike(theirs[0].id),
      "mb_x",
      theirs[0].string("org_id")
    ]) {
      const path = `/v1/memberships/${id}`
      for (const api of [realm, locked]) {
        for (const reply of [
          await api.get(path),
          await api.put(path, { membership: { permissions: "ar:owner" } }),
          await api.delete(path)
        ]) {
          expect([id, ...statusAndErrors(reply)]).toEqual([id, ...noMembership])
        }
      }
    }
  })
  expect(events).toEqual([])
})

test("GET requires level read; POST, PUT and DELETE require level write", async () => {
  const realm = await newRealm()
  const [{ id }] = await createBoth(realm)
  const user_id = (await realm.user()).id
  const [reader, writer] = [await realm.as("read"), await realm.as("write")]
  expect((await reader.get(`/v1/memberships?user_id=${user_id}`)).status).toBe(200)
  expect((await reader.get(`/v1/memberships/${id}`)).status).toBe(200)
  const statusesFor = async (api: Api) => [
    (await api.post("/v1/memberships", { membership: { user_id } })).status,
    (await api.put(`/v1/memberships/${id}`, { membership: { permissions: "a" } })).status,
    (await api.delete(`/v1/memberships/${id}`)).status
  ]
  expect(await realm.seen.caused(async () => expect(await statusesFor(reader)).toEqual([403, 403, 403]))).toEqual([])
  expect(await statusesFor(writer)).toEqual([201, 200, 204])
})
