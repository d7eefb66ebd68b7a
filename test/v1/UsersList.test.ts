import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { newRealm } from "../support/sallyport.ts"

const names = (reply: Reply) => reply.items.map(({ username, email }) => username ?? String(email).split("@")[0])

/** A realm with two human and two API users, one of each inactive. */
const realmWithMixedUsers = async (): Promise<GivenRealm> => {
  const realm = await newRealm()
  await realm.user({ username: "b", state: "inactive", reference: "7" })
  await realm.apiUser({ username: "a", reference: "7" })
  await realm.apiUser({ username: "d", state: "inactive" })
  await realm.user({ username: "c" })
  return realm
}

describe("GET /v1/users", () => {
  test("returns the realm's users as list items, and records no event", async () => {
    const realm = await newRealm({ api_key_policy: "encrypt" })
    const human = await realm.user({ username: "Jo", password: "a long enough password", custom: { a: 1 } })
    const robot = await realm.apiUser({ username: "Robot", api_key: "generate", permissions: "a", custom: { b: 2 } })
    await (await newRealm()).apiUser()
    const { result, events } = await realm.seenV1.during(() => realm.get("/v1/users"))
    expect([result.status, events]).toEqual([200, []])
    const shared = { object: "user", state: "active", realm_id: realm.id, created_at: 1_767_225_600 }
    const nulls = { last_login_at: null, reference: null }
    const items = [
      {
        ...shared,
        ...nulls,
        id: human.id,
        user_type: "human",
        username: "jo",
        email: human.string("email"),
        email_verification: "none",
        first_name: null,
        last_name: null,
        name: "Jo"
      },
      { ...shared, ...nulls, id: robot.id, user_type: "api", username: "robot", email: null, name: "Robot" }
    ]
    expect(result.body).toEqual({ collection: items, more_results: false })
    const expanded = await realm.get("/v1/users?expand=custom")
    expect(expanded.items).toEqual([
      { ...items[0], custom: { a: 1 } },
      { ...items[1], custom: { b: 2 } }
    ])
  })

  test("filters by user_type, which defaults to all", async () => {
    const realm = await realmWithMixedUsers()
    for (const [query, found] of [
      ["", "abcd"],
      ["user_type=all", "abcd"],
      ["user_type=human", "bc"],
      ["user_type=api", "ad"]
    ]) {
      expect([query, names(await realm.get(`/v1/users?${query}`))]).toEqual([query, [...String(found)]])
    }
  })

  test("filters by exact reference and by state, separately or together", async () => {
    const realm = await realmWithMixedUsers()
    for (const [query, found] of [
      ["reference=7", "ab"],
      ["reference=70", ""],
      ["state=active", "ac"],
      ["state=inactive", "bd"],
      ["state=inactive&user_type=api", "d"],
      ["state=active&user_type=human", "c"],
      ["reference=7&user_type=api&state=active", "a"],
      ["reference=7&user_type=api&state=inactive", ""]
    ]) {
      expect([query, names(await realm.get(`/v1/users?${query}`))]).toEqual([query, [...String(found)]])
    }
  })

  test.each([
    ["user_type=robot", "User type must be one of: all, human, api."],
    ["user_type=human&user_type=api", "User type must be one of: all, human, api."],
    ["state=closed", "State must be one of: active, inactive."],
    ["sort=email", "Sort must be one of: id, last_login, name, name_alt, username."],
    ["direction=up", "Direction must be one of: asc, desc."],
    ["expand=memberships", "Expand must be one of: custom, credentials."],
    ["max_results=0", "Max results must be between 1 and 1000."],
    ["max_results=1001", "Max results must be between 1 and 1000."],
    [`reference=${"x".repeat(256)}`, "Reference is too long (maximum is 255 characters)."]
  ])("rejects %s", async (query, sentence) => {
    const reply = await (await newRealm()).get(`/v1/users?${query}`)
    expect([reply.status, reply.errors]).toEqual([422, [sentence]])
  })

  test("ignores the filters that only v2 supports", async () => {
    const realm = await realmWithMixedUsers()
    expect((await realm.get("/v1/users?email=x&username=y")).items).toHaveLength(4)
  })
})

describe("the order of GET /v1/users", () => {
  // In creation order. `last_login_at` is null for all.
  const people: ReadonlyArray<readonly ["user" | "apiUser", Readonly<Record<string, unknown>>]> = [
    ["user", { username: "g", first_name: "Zoe", last_name: "ann" }],
    ["apiUser", { username: "C", name: "Ann" }],
    ["user", { username: "E", first_name: "Al", last_name: "Zweig" }],
    ["apiUser", { username: "a" }],
    ["user", { email: "f@example.test" }],
    ["apiUser", { username: "b", name: "zz top" }]
  ]
  const orders = {
    id: "gceafb",
    last_login: "gceafb",
    // a, Al Zweig, Ann, f, Zoe ann, zz top
    name: "aecfgb",
    // a, Ann, ann Zoe, f, Zweig Al, zz top
    name_alt: "acgfeb",
    // No username first; a, b, C, E, g
    username: "fabceg"
  }

  test.each(
    Object.entries(orders)
  )("with sort=%s is %s on pages of any size, and reversed with desc", async (sort, order) => {
    const realm = await newRealm()
    for (const [kind, attributes] of people) await realm[kind](attributes)
    for (const direction of ["asc", "desc"]) {
      const whole = direction === "asc" ? [...order] : [...order].reverse()
      for (const size of [1, 2, 4, 6]) {
        const read: Array<unknown> = []
        for (let after = ""; read.length < whole.length; ) {
          const query = `sort=${sort}&direction=${direction}&max_results=${size}${after}`
          const page = await realm.get(`/v1/users?${query}`)
          read.push(...names(page))
          expect(page.member("more_results")).toBe(read.length < whole.length)
          after = `&after=${page.items.at(-1)?.["id"]}`
        }
        expect(read).toEqual(whole)
      }
    }
  })

  test("defaults to sort=username and direction=asc", async () => {
    const realm = await newRealm()
    for (const [kind, attributes] of people) await realm[kind](attributes)
    expect(names(await realm.get("/v1/users"))).toEqual([...orders.username])
    expect(names(await realm.get("/v1/users?user_type=api&direction=desc"))).toEqual([..."cba"])
  })

  test("returns 404 for an `after` id that is unknown, malformed or from another realm", async () => {
    const realm = await realmWithMixedUsers()
    const theirs = await (await newRealm()).apiUser()
    for (const after of [theirs.id, "a", "x", "%00"]) {
      const reply = await realm.get(`/v1/users?after=${after}`)
      expect([after, reply.status, reply.errors]).toEqual([after, 404, ["User could not be found."]])
    }
  })
})
