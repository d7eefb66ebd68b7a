import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { lists, operations } from "../support/operations.ts"
import { filterOf, listPath } from "../support/resources.ts"
import { service } from "../support/sallyport.ts"

const twoRealms = async () => {
  const { given } = await service()
  return [await given.realm(), await given.realm()] as const
}

test("SEC-58 (CVE-2025-67717): membership_count ignores a user with the same email in another realm", async () => {
  const [mine, other] = await twoRealms()
  const email = "same@example.test"
  const [here, there] = [await mine.user({ email }), await other.user({ email })]
  await mine.membership(here.id, (await mine.org()).id)
  for (let n = 0; n < 3; n++) await other.membership(there.id, (await other.org()).id)
  const counts = async (api: Api, path: string) => (await api.get(path)).member("membership_count")
  for (const version of ["v1", "v2"]) {
    expect(await counts(mine, `/${version}/users/${here.id}`)).toBe(1)
    expect(await counts(other, `/${version}/users/${there.id}`)).toBe(3)
    expect(await counts(await mine.as("read"), `/${version}/users/${there.id}`)).toBeUndefined()
  }
})

test("SEC-58: lists and more_results ignore the data of other realms", async () => {
  const [mine, other] = await twoRealms()
  const user = await other.user()
  await other.membership(user.id, (await other.org()).id)
  await other.session(user.id)
  await other.invitation()
  await other.connectedApp()
  const caller = await mine.as("admin_realm")
  for (const list of lists.filter(({ resource }) => resource !== "realms")) {
    const [path, filter] = [await listPath(list, mine), await filterOf(list, mine)]
    const before = await caller.get(`${path}?${filter}max_results=1`)
    const all = await caller.get(`${path}?${filter}`)
    expect([list.name, before.member("more_results")]).toEqual([list.name, all.items.length > 1])
    for (const { realm_id } of all.items)
      if (realm_id !== undefined) expect([list.name, realm_id]).toEqual([list.name, mine.id])
    // A list has no total count.
    expect(Object.keys(Object(all.body)).toSorted()).toEqual(["collection", "more_results"])
  }
})

test("SEC-58: a key locked to a realm lists only its own realm and API keys", async () => {
  const [mine, other] = await twoRealms()
  for (const realm of [mine, other]) {
    await realm.put(`/v2/realms/${realm.id}`, { realm: { reference: mine.id } })
    await realm.as("read")
  }
  const caller = await mine.as("admin_realm")
  const ids = async (path: string) => (await caller.get(path)).items.map(({ id }) => id)
  for (const query of [`reference=${mine.id}`, "max_results=1", "sort=id"]) {
    expect([query, await ids(`/v2/realms?${query}`)]).toEqual([query, [mine.id]])
  }
  expect(await ids(`/v2/realms?after=${mine.id}`)).toEqual([])
  expect(await ids(`/v2/realms?reference=${mine.id}&after=${mine.id}`)).toEqual([])
  const keys = await ids("/v2/api_keys")
  expect(keys).toHaveLength(2)
  const [first = ""] = keys
  expect(await ids(`/v2/api_keys?after=${first}`)).toEqual(keys.slice(1))
})

test("SEC-58: metrics, health endpoints and the OpenAPI document reveal no realm, user or email", async () => {
  const [mine, other] = await twoRealms()
  const user = await mine.user()
  const nobody = new Api(mine.transport, undefined)
  for (const path of ["/metrics", "/healthz", "/readyz", "/openapi.json"]) {
    const { text } = await nobody.get(path)
    for (const id of [mine.id, user.id, user.string("email")]) expect([path, text.includes(id)]).toEqual([path, false])
  }
  // Only one endpoint returns counts. It is per realm and requires a key for that realm.
  const counting = operations.filter(({ template }) => /count|stat/i.test(template))
  expect(counting.map(({ template }) => template)).toEqual(["/v2/realms/:realm_id/statistics"])
  const caller = await mine.as("admin_realm")
  const statuses = [mine, other].map(async ({ id }) => (await caller.get(`/v2/realms/${id}/statistics`)).status)
  expect(await Promise.all(statuses)).toEqual([200, 404])
})
