import { describe, expect, test } from "vitest"
import { STARTS_AT } from "#testing/TestSallyport"
import { newRealm, ownService } from "../support/sallyport.ts"

const now = STARTS_AT / 1000

describe("lists with counts and summaries", () => {
  test("GET /v2/users returns each user's membership count and first three orgs with expand=orgs", () =>
    ownService(async ({ given, clock }) => {
      const [realm, other] = [await given.realm(), await given.realm()]
      await other.membership((await other.user()).id, (await other.org()).id)
      const ada = await realm.user({ email: "ada@example.test" })
      const ben = await realm.user({ email: "ben@example.test" })
      for (const name of ["A", "B", "C", "D"]) await realm.membership(ada.id, (await realm.org({ name })).id)
      const gone = await realm.org({ name: "Gone" })
      await realm.membership(ada.id, gone.id)
      await realm.membership(ben.id, (await realm.org()).id, { expires_at: now + 60 })
      await realm.delete(`/v2/orgs/${gone.id}?force=true`)
      clock.advance("2 minutes")

      const { result, events } = await realm.seen.during(() => realm.get("/v2/users?expand=orgs"))
      expect([result.status, events]).toEqual([200, []])
      expect(result.items).toMatchObject([
        { email: "ada@example.test", membership_count: 4, orgs: [{ name: "A" }, { name: "B" }, { name: "C" }] },
        { email: "ben@example.test", membership_count: 0, orgs: [] }
      ])
      const found = await realm.get("/v2/users?search=ada&expand=orgs")
      expect(found.items).toMatchObject([{ membership_count: 4, orgs: [{ name: "A" }, { name: "B" }, { name: "C" }] }])
      expect(Object.keys((await realm.get("/v2/users")).items[0] ?? {})).not.toContain("orgs")
    }))

  test("GET /v2/orgs returns each org's membership count with expand=membership_count", async () => {
    const realm = await newRealm()
    const [one, two] = [await realm.org({ name: "One" }), await realm.org({ name: "Two" })]
    for (const org of [one, one, two]) await realm.membership((await realm.user()).id, org.id)
    await realm.org({ name: "Zero" })
    for (const query of ["?expand=membership_count", "?expand=membership_count&sort=id"]) {
      expect((await realm.get(`/v2/orgs${query}`)).items.map((org) => org["membership_count"])).toEqual([2, 1, 0])
    }
    expect((await realm.get("/v2/orgs?search=one&expand=membership_count")).items).toMatchObject([
      { name: "One", membership_count: 2 }
    ])
    expect(Object.keys((await realm.get("/v2/orgs")).items[0] ?? {})).not.toContain("membership_count")
  })

  test("expand=total_results counts the items on all pages that match the filters", async () => {
    const realm = await newRealm()
    await (await newRealm()).user()
    for (const reference of ["a", "a", "b"]) await realm.user({ reference })
    await realm.user({ state: "inactive", email: "off@example.test" })
    await realm.org({ name: "Open", reference: "r" })
    const { id } = await realm.org({ name: "Closed" })
    await realm.delete(`/v2/orgs/${id}`)
    await realm.delete(`/v2/orgs/${(await realm.org()).id}?force=true`)
    const total = async (path: string) => (await realm.get(path)).member("total_results")

    expect(await total("/v2/users?expand=total_results&max_results=1")).toBe(4)
    expect(await total("/v2/users?expand=total_results&max_results=1&sort=last_login&state=active")).toBe(3)
    expect(await total("/v2/users?expand=total_results&reference=a")).toBe(2)
    expect(await total("/v2/users?expand=total_results&email=OFF@example.test")).toBe(1)
    expect(await total("/v2/users?expand=total_results&username=nobody")).toBe(0)
    expect(await total("/v2/users?expand=total_results&search=off")).toBeUndefined()
    expect(await total("/v2/users")).toBeUndefined()
    expect(await total("/v2/orgs?expand=total_results")).toBe(2)
    expect(await total("/v2/orgs?expand=total_results&state=closed")).toBe(1)
    expect(await total("/v2/orgs?expand=total_results&reference=r")).toBe(1)
    expect(await total("/v2/orgs?expand=total_results&search=open")).toBeUndefined()
    expect((await realm.get("/v1/orgs?expand=total_results")).status).toBe(422)
  })
})
