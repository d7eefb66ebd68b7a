import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { newApiUser } from "../support/credentials.ts"
import { statusAndErrors } from "../support/logins.ts"
import { snapshotOf } from "../support/resources.ts"
import { newRealm } from "../support/sallyport.ts"

const tooMany = (type: string) => [422, [`A user can have at most 20 credentials of type ${type}.`]]

const times = <A>(count: number, one: () => A): ReadonlyArray<A> => Array.from({ length: count }, one)

const device = () => ({ credential_type: "totp", name: uniqueText("Device") })
const key = () => ({ credential_type: "api_key" })

describe("SEC-102: the maximum number of a user's credentials of one type", () => {
  test.each(["v1", "v2"])("SEC-102: is 20 devices when creating a human under %s", async (version) => {
    const realm = await newRealm()
    const create = (count: number) =>
      realm.post(`/${version}/users`, {
        user: {
          user_type: "human",
          username: uniqueText("jo"),
          email: `${uniqueText("jo")}@example.test`,
          credentials: times(count, device)
        }
      })
    const before = await snapshotOf(realm)
    for (const count of [21, 100])
      expect([count, ...statusAndErrors(await create(count))]).toEqual([count, ...tooMany("totp")])
    expect(statusAndErrors(await create(3_000))).toEqual([422, ["Credentials may contain at most 260 items."]])
    expect(await snapshotOf(realm)).toEqual(before)
    const made = await create(20)
    expect(made.status).toBe(201)
    expect((await realm.get(`/v2/users/${made.id}`)).member("credentials")).toHaveLength(20)
  })

  test("SEC-102: counts the key that the member api_key creates for an API user", async () => {
    const realm = await newRealm()
    const create = (count: number) =>
      realm.post("/v1/users", { user: { user_type: "api", api_key: "generate", credentials: times(count, key) } })
    expect(statusAndErrors(await create(20))).toEqual(tooMany("api_key"))
    expect((await create(19)).status).toBe(201)
  })

  test("SEC-102: applies to a user created along with an org", async () => {
    const realm = await newRealm()
    const user = { email: "jo@example.test", credentials: times(21, device) }
    const { result, events } = await realm.seen.during(() => realm.post("/v2/orgs", { org: { name: "Acme" }, user }))
    expect([statusAndErrors(result), events]).toEqual([tooMany("totp"), []])
  })

  test.each([
    ["v1", "totp"],
    ["v2", "totp"],
    ["v1", "api_key"],
    ["v2", "api_key"]
  ])("SEC-102: applies to single creations under %s: the 21st %s is rejected", async (version, type) => {
    const realm = await newRealm()
    const { id: user_id } = type === "totp" ? await realm.user() : await newApiUser(realm)
    const create = () =>
      realm.post(`/${version}/credentials`, { credential: { user_id, ...(type === "totp" ? device() : key()) } })
    const count = async () =>
      ((await realm.get(`/${type === "totp" ? "v2" : "v1"}/users/${user_id}`)).member("credentials") as Array<unknown>)
        .length
    while ((await count()) < 18) expect((await create()).status).toBe(201)
    const { result, events } = await realm.seen.during(() => Promise.all(times(6, create)))
    expect(result.map(({ status }) => status).toSorted()).toEqual([201, 201, 422, 422, 422, 422])
    expect(await count()).toBe(20)
    expect(events.map(({ event_type }) => event_type)).toEqual(["user.updated", "user.updated"])
    expect(statusAndErrors(await create())).toEqual(tooMany(type))
    expect(await count()).toBe(20)
  })

  test("SEC-102: applies to profiles of providers of one type", async () => {
    const realm = await newRealm()
    const { id: user_id } = await realm.user()
    const create = async () => {
      const { id: auth_provider_id } = await realm.authProvider()
      const credential = { user_id, credential_type: "oauth2", auth_provider_id, provider_user_id: uniqueText("sub") }
      return realm.post("/v2/credentials", { credential })
    }
    for (let n = 0; n < 20; n++) expect((await create()).status).toBe(201)
    expect(statusAndErrors(await create())).toEqual(tooMany("oauth2"))
  })
})
