import { describe, expect, test } from "vitest"
import { appSorts } from "#domain/ConnectedApp"
import { invitationSorts } from "#domain/Invitation"
import { orgSorts } from "#domain/Org"
import { realmSorts } from "#domain/Realm"
import { userSorts } from "#domain/User"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { lists } from "../support/operations.ts"
import { listedFor, unknownIdLike } from "../support/resources.ts"
import { newRealm, service } from "../support/sallyport.ts"

/** The query of the next page, from the `Link` header. */
const nextOf = ({ headers }: Reply): string | undefined =>
  /^<(\?[^<>]+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1]

describe("C284: a list sorted by id can continue after an id that does not exist", () => {
  test.each(lists)("$name", async (operation) => {
    const { given } = await service()
    const realm = await newRealm()
    const caller = operation.resource === "realms" ? given.root : realm
    const { path, id } = await listedFor(operation, realm)
    const filter = operation.resource === "memberships" ? `user_id=${(await realm.user()).id}&` : ""
    const reply = await caller.get(
      `${path}?${filter}${operation.query.includes("sort") ? "sort=id&" : ""}after=${unknownIdLike(id)}`
    )
    expect([reply.status, reply.items]).toEqual([200, expect.any(Array)])
  })
})

/** A list with several sort orders, and a function that adds an item to it. */
interface Sorted {
  readonly path: string
  readonly sorts: ReadonlyArray<string>
  readonly add: (realm: GivenRealm, name: string) => Promise<Reply>
}

const invitations: Sorted = {
  path: "/v2/invitations",
  sorts: invitationSorts,
  add: async (realm, name) =>
    realm.post("/v2/invitations", {
      invitation: { invitation_type: "org", email: `${name}@example.test`, org_id: (await realm.org()).id }
    })
}

const sorted: ReadonlyArray<Sorted> = ["v1", "v2"].flatMap((version) => [
  {
    path: `/${version}/users`,
    sorts: userSorts.filter((sort) => version === "v2" || sort !== "email"),
    add: (realm, name) =>
      realm.post("/v2/users", {
        user: { email: `${name}@example.test`, username: name, first_name: name, last_name: "Doe", credentials: [] }
      })
  },
  { path: `/${version}/orgs`, sorts: orgSorts, add: (realm, name) => realm.post("/v2/orgs", { org: { name } }) },
  {
    path: `/${version}/${version === "v1" ? "login_policies" : "client_apps"}`,
    sorts: appSorts,
    add: (realm, name) => realm.post("/v2/client_apps", { client_app: { name } })
  }
])

const cases = [...sorted, invitations].flatMap((list) =>
  list.sorts.flatMap((sort) => ["asc", "desc"].map((direction) => ({ ...list, sort, direction })))
)

describe("C284: Link headers lead through a whole list even if items are deleted meanwhile", () => {
  test.each(cases)("$path by $sort $direction", async ({ path, sort, direction, add }) => {
    const realm = await newRealm()
    // The names differ in case, and all users have the same last name.
    for (const name of ["ben", "Ada", "cleo", "dora"]) expect((await add(realm, uniqueText(name))).status).toBe(201)
    const query = `?sort=${sort}&direction=${direction}`
    const all = (await realm.get(`${path}${query}`)).items.map(({ id }) => String(id))
    expect(all.length).toBe(4)
    const seen: Array<string> = []
    let next: string | undefined = `${query}&max_results=1`
    while (next !== undefined) {
      const reply: Reply = await realm.get(`${path}${next}`)
      const [item] = reply.items
      expect([reply.status, reply.items.length]).toEqual([200, 1])
      seen.push(String(item?.["id"]))
      next = nextOf(reply)
      expect(next !== undefined).toBe(reply.member("more_results"))
      const gone = await realm.delete(`${path}/${item?.["id"]}${path === "/v2/orgs" ? "?force=true" : ""}`)
      expect([200, 202, 204]).toContain(gone.status)
    }
    expect(seen).toEqual(all)
  })

  test("/v2/realms sorted by name, with and without a state filter", async () => {
    const { given } = await service()
    const created = []
    for (const sort of realmSorts) created.push(await given.realm({ name: `${sort} ${uniqueText("Paged")}` }))
    const reply = await given.root.get("/v2/realms?sort=name&max_results=1")
    const [first] = reply.items
    const next = await given.root.get(`/v2/realms${nextOf(reply)}`)
    expect([next.status, next.items.length]).toEqual([200, 1])
    expect(next.items[0]?.["id"]).not.toBe(first?.["id"])
    expect(created.length).toBe(realmSorts.length)
    const active = await given.root.get("/v2/realms?state=active&sort=name&max_results=1")
    expect((await given.root.get(`/v2/realms${nextOf(active)}`)).items.length).toBe(1)
  })
})

test("C284: returns 404 for a deleted item's id if the list is not sorted by id", async () => {
  const realm = await newRealm()
  const { id } = await realm.user()
  await realm.delete(`/v2/users/${id}`)
  const reply = await realm.get(`/v2/users?sort=email&after=${id}`)
  expect([reply.status, reply.errors]).toEqual([404, ["User could not be found."]])
})

test("C284: the next link keeps the rest of the query, and the last page has no next link", async () => {
  const realm = await newRealm()
  for (const first_name of ["Ada", "Bo"]) await realm.user({ first_name })
  const reply = await realm.get("/v2/users?state=active&expand[]=custom&sort=name&max_results=1&after=")
  const next = new URLSearchParams(nextOf(reply))
  expect([...next.keys()].sort()).toEqual(["after", "expand[]", "max_results", "sort", "state"])
  expect((await realm.get(`/v2/users?${next}`)).headers.get("link")).toBe(null)
  const searched = await realm.get("/v2/users?search=user&max_results=1")
  expect([searched.status, searched.headers.get("link")]).toEqual([200, null])
})

test("C284: returns 404 for a modified cursor, and accepts a cursor of another sort order as its id", async () => {
  const realm = await newRealm()
  for (const first_name of ["Ada", "Bo"]) await realm.user({ first_name })
  const first = await realm.get("/v2/users?sort=last_login&max_results=1")
  const cursor = new URLSearchParams(nextOf(first)).get("after") ?? ""
  const [id] = cursor.split(".")
  const invalidTimes = ["2026-02-30T00:00:00.000Z", "0000-01-01T00:00:00.000Z", "2026-01-01T00:00:00Z"].map(
    (time) => `${id}.last_login.${Buffer.from(time).toString("base64url")}`
  )
  const wrong = [
    ...invalidTimes,
    ".",
    `${id}.last_login.!`,
    `${id}.last_login.bm9wZQ`,
    `${id}.last_login.AA`,
    `${cursor}.x`
  ]
  for (const after of [...wrong, `nope.${cursor}`]) {
    const reply = await realm.get(`/v2/users?sort=last_login&after=${encodeURIComponent(after)}`)
    expect([after, reply.status]).toEqual([after, 404])
  }
  const byName = await realm.get(`/v2/users?sort=name&after=${cursor}`)
  const byId = await realm.get(`/v2/users?sort=name&after=${id}`)
  expect([byName.status, byName.body]).toEqual([200, byId.body])
})

test("C284: a cursor contains no username in a realm that hides usernames", async () => {
  const realm = await newRealm()
  for (const name of ["ada", "bo"])
    await realm.post("/v2/users", {
      user: { username: uniqueText(name), email: `${uniqueText(name)}@example.test`, credentials: [] }
    })
  const shown = nextOf(await realm.get("/v2/users?sort=username&max_results=1"))
  expect(shown).toContain("username.")
  await realm.put(`/v2/realms/${realm.id}`, { realm: { username_validation_human: "email" } })
  const reply = await realm.get("/v2/users?sort=username&max_results=1")
  const hidden = new URLSearchParams(nextOf(reply)).get("after")
  expect(hidden).toBe(reply.items[0]?.["id"])
})
