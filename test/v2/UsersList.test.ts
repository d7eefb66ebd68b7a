import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { noRealm } from "../support/noRealm.ts"
import { newRealm, service } from "../support/sallyport.ts"

const emails = (reply: Reply) => reply.items.map(({ email }) => String(email).split("@")[0])

/** Creates users with the given names as the local parts of their emails, in this order. */
const createUsers = async (realm: GivenRealm, users: Readonly<Record<string, object>>): Promise<void> => {
  for (const [name, attributes] of Object.entries(users)) {
    await realm.user({ email: `${name}@example.test`, ...attributes })
  }
}

const inReverse = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => [...items].reverse()

/** The pages of a list, each starting after the last id of the previous page. */
const pages = async (realm: GivenRealm, query: string, size: number): Promise<ReadonlyArray<Reply>> => {
  const read: Array<Reply> = []
  for (let after = ""; read.length < 20; ) {
    const reply = await realm.get(`/v2/users?${query}&max_results=${size}${after}`)
    expect(reply.status).toBe(200)
    read.push(reply)
    if (reply.member("more_results") === false) break
    after = `&after=${reply.items.at(-1)?.["id"]}`
  }
  return read
}

describe("GET /v2/users", () => {
  test("returns the realm's users as list items, and records no event", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: "a long enough password", first_name: "Jo", custom: { a: 1 } })
    await realm.membership(user.id, (await realm.org()).id)
    await (await newRealm()).user()
    const { result, events } = await realm.seen.during(() => realm.get("/v2/users"))
    expect([result.status, events]).toEqual([200, []])
    const item = {
      created_at: 1_767_225_600,
      deletion_at: null,
      email: user.string("email"),
      email_pending: null,
      email_verification: "none",
      first_name: "Jo",
      id: user.id,
      last_login_at: null,
      last_name: null,
      locale: null,
      name: "Jo",
      object: "user",
      realm_id: realm.id,
      reference: null,
      state: "active",
      username: null
    }
    expect(result.body).toEqual({ collection: [item], more_results: false })
    const expanded = { collection: [{ ...item, custom: { a: 1 } }], more_results: false }
    for (const expand of ["expand=custom", "expand[]=custom", "expand=custom&expand=custom"]) {
      expect((await realm.get(`/v2/users?${expand}`)).body).toEqual(expanded)
    }
  })

  test("filters by exact email in any case, matching email and email_pending", async () => {
    const realm = await newRealm()
    await createUsers(realm, {
      a: { email_pending: "c@example.test" },
      b: { email: "\u00e9va@example.test" },
      c: {},
      d: { username: "d@example.test", email_pending: "cc@example.test" }
    })
    const list = async (typed: string) => emails(await realm.get(`/v2/users?email=${encodeURIComponent(typed)}`))
    expect(await list("C@Example.TEST")).toEqual(["a", "c"])
    expect(await list("E\u0301VA@example.test")).toEqual(["\u00e9va"])
    for (const nobody of ["e@example.test", "c@example", "c", "%", "", "c@example.test,a@example.test"]) {
      expect(await list(nobody)).toEqual([])
    }
  })

  test("filters by exact reference", async () => {
    const realm = await newRealm()
    await createUsers(realm, { a: { reference: "Ab" }, b: { reference: "ab" }, c: { reference: " Ab" }, d: {} })
    await realm.user({ email: "e@example.test", reference: "Ab" })
    const list = async (typed: string) => emails(await realm.get(`/v2/users?reference=${encodeURIComponent(typed)}`))
    expect(await list("Ab")).toEqual(["a", "e"])
    expect(await list(" Ab")).toEqual(["c"])
    for (const nobody of ["A", "AB", "", "null", "Ab%"]) expect(await list(nobody)).toEqual([])
  })

  test("filters by exact username in any case", async () => {
    const realm = await newRealm()
    await createUsers(realm, { a: { username: "JoSmith" }, b: { username: "josmith2" }, c: {} })
    const list = async (typed: string) => emails(await realm.get(`/v2/users?username=${encodeURIComponent(typed)}`))
    for (const typed of ["JoSmith", "josmith", " ＪＯＳＭＩＴＨ "]) expect(await list(typed)).toEqual(["a"])
    for (const nobody of ["jo", "", "c"]) expect(await list(nobody)).toEqual([])
  })

  test("filters by state", async () => {
    const realm = await newRealm()
    await createUsers(realm, { a: { state: "inactive" }, b: {}, c: { state: "inactive" } })
    expect(emails(await realm.get("/v2/users?state=inactive"))).toEqual(["a", "c"])
    expect(emails(await realm.get("/v2/users?state=active"))).toEqual(["b"])
  })

  test("combines filters, and pages with them", async () => {
    const realm = await newRealm()
    await createUsers(realm, {
      a: { state: "inactive", reference: "7" },
      b: { reference: "7", username: "bee" },
      c: { reference: "7" },
      d: { reference: "7" }
    })
    expect(emails(await realm.get("/v2/users?reference=7&state=active&username=BEE&email=b@example.test"))).toEqual([
      "b"
    ])
    expect(emails(await realm.get("/v2/users?reference=7&email=e@example.test"))).toEqual([])
    const read = await pages(realm, "reference=7&state=active&direction=desc", 2)
    expect(read.map(emails)).toEqual([["d", "c"], ["b"]])
    // The item in `after` doesn't need to match the filter.
    const [last] = (await realm.get("/v2/users?state=inactive")).items
    expect(emails(await realm.get(`/v2/users?state=active&after=${last?.["id"]}`))).toEqual(["b", "c", "d"])
  })
})

test("a query by custom attributes is rejected as unknown", async () => {
  const realm = await newRealm()
  await realm.user({ custom: { plan: "gold" } })
  for (const [parameter, value] of [
    ["custom", "gold"],
    ["custom[plan]", "gold"],
    ["plan", "gold"]
  ]) {
    const reply = await realm.get(`/v2/users?${parameter}=${value}`)
    expect([reply.status, reply.member("error_details", 0, "code")]).toEqual([422, "unknown_parameter"])
    expect(reply.member("error_details", 0, "field")).toBe(parameter)
  }
  expect((await realm.get("/v2/users?reference=gold")).items).toEqual([])
})

describe("the order of GET /v2/users", () => {
  // Sorting by id is sorting by creation. `last_login_at` is null for all, because nobody has logged in.
  const people = {
    g: { first_name: "Zoe", last_name: "ann" },
    c: { first_name: "al", last_name: "Ann Lee", username: "Gus" },
    e: { username: "amy" },
    a: { last_name: "Ann", username: "ben" },
    f: { first_name: "Bo" },
    b: { first_name: "Zoe", last_name: "Ann" },
    d: { first_name: "Éva", last_name: "Ötvös" }
  }
  const orders = {
    id: "gceafbd",
    email: "abcdefg",
    last_login: "gceafbd",
    // al Ann Lee, amy, Ann, Bo, Zoe ann, Zoe Ann, Éva Ötvös
    name: "ceafgbd",
    // amy, Ann, ann Zoe, Ann Zoe, Ann Lee al, Bo, Ötvös Éva
    name_alt: "eagbcfd",
    // No username first, in the order of creation; amy, ben, Gus
    username: "gfbdeac"
  }

  test.each(
    Object.entries(orders)
  )("with sort=%s is %s on pages of any size, and reversed with desc", async (sort, order) => {
    const realm = await newRealm()
    await createUsers(realm, people)
    for (const direction of ["asc", "desc"] as const) {
      const whole = direction === "asc" ? [...order] : inReverse([...order])
      expect(emails(await realm.get(`/v2/users?sort=${sort}&direction=${direction}`))).toEqual(whole)
      for (const size of [1, 2, 3, 7]) {
        const read = await pages(realm, `sort=${sort}&direction=${direction}`, size)
        expect(read.flatMap(emails)).toEqual(whole)
        expect(read).toHaveLength(Math.ceil(whole.length / size))
        expect(read.map((page) => page.member("more_results"))).toEqual(read.map((_, index) => index < read.length - 1))
      }
    }
  })

  test("defaults to sort=email and direction=asc", async () => {
    const realm = await newRealm()
    await createUsers(realm, people)
    expect(emails(await realm.get("/v2/users"))).toEqual([..."abcdefg"])
    expect(emails(await realm.get("/v2/users?direction=desc"))).toEqual([..."gfedcba"])
  })

  test("continues after the last item of the previous page if the list changes in between", async () => {
    const realm = await newRealm()
    await createUsers(realm, { b: {}, d: {}, f: {} })
    const first = await realm.get("/v2/users?max_results=2")
    await createUsers(realm, { a: {}, c: {}, e: {} })
    const after = first.items.at(-1)?.["id"]
    expect(emails(await realm.get(`/v2/users?after=${after}`))).toEqual(["e", "f"])
  })

  test("ends with the last item", async () => {
    const realm = await newRealm()
    const { id } = await realm.user()
    expect((await realm.get(`/v2/users?after=${id}`)).body).toEqual({ collection: [], more_results: false })
  })
})

describe("the parameters of GET /v2/users", () => {
  test("allow max_results from 1 to 1000, with a default of 100", async () => {
    const realm = await newRealm()
    await Promise.all(Array.from({ length: 101 }, () => realm.user()))
    const whole = await realm.get("/v2/users")
    expect([whole.items.length, whole.member("more_results")]).toEqual([100, true])
    for (const [max_results, length] of [[1, 1] as const, [101, 101] as const, [1000, 101] as const]) {
      expect((await realm.get(`/v2/users?max_results=${max_results}`)).items).toHaveLength(length)
    }
  })

  test.each([
    ["max_results=0", "Max results must be between 1 and 1000."],
    ["max_results=1001", "Max results must be between 1 and 1000."],
    ["max_results=-1", "Max results must be between 1 and 1000."],
    ["max_results=1.5", "Max results must be a whole number."],
    ["max_results=many", "Max results must be a whole number."],
    ["max_results=", "Max results must be a whole number."],
    ["max_results=1e2", "Max results must be a whole number."],
    ["max_results=9223372036854775808", "Max results must be a whole number."],
    ["max_results=1&max_results=2", "Max results can be given only once."],
    ["sort=created_at", "Sort must be one of: id, email, last_login, name, name_alt, username."],
    ["sort=Email", "Sort must be one of: id, email, last_login, name, name_alt, username."],
    ["sort=email&sort=name", "Sort must be one of: id, email, last_login, name, name_alt, username."],
    ["direction=up", "Direction must be one of: asc, desc."],
    ["state=closed", "State must be one of: active, inactive."],
    ["expand=memberships", "Expand must be one of: custom, credentials, orgs, total_results."],
    ["expand=custom,all", "Expand must be one of: custom, credentials, orgs, total_results."],
    ["email=%00", "Email is not valid."],
    ["username=a%00b", "Username is not valid."],
    ["reference=%00", "Reference is not valid."],
    [`reference=${"x".repeat(256)}`, "Reference is too long (maximum is 255 characters)."],
    ["reference=a&reference=b", "Reference can be given only once."]
  ])("return 422 for %s", async (query, sentence) => {
    const realm = await newRealm()
    const reply = await realm.get(`/v2/users?${query}`)
    expect([reply.status, reply.errors]).toEqual([422, [sentence]])
  })

  test("return 404 for an `after` that is malformed or, unless sorted by id, not in the realm", async () => {
    const realm = await newRealm()
    const theirs = await (await newRealm()).user()
    const org = await realm.org()
    const unknown = `${theirs.id.slice(0, -8)}zzzzzzzz`
    for (const after of [theirs.id, unknown, org.id, "x", "%00", theirs.id.toUpperCase(), "x".repeat(300)]) {
      const isValidPosition = after === theirs.id || after === unknown
      for (const sort of ["email", "last_login", ...(isValidPosition ? [] : ["id"])]) {
        const reply = await realm.get(`/v2/users?sort=${sort}&after=${after}`)
        expect([after, sort, reply.status, reply.errors]).toEqual([after, sort, 404, ["User could not be found."]])
      }
    }
  })

  test("require realm_id if the rest of the request doesn't determine the realm", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const { given } = await service()
    expect((await given.root.get(`/v2/users?realm_id=${realm.id}`)).items).toMatchObject([{ id: user.id }])
    const withoutRealm = await given.root.get("/v2/users")
    expect([withoutRealm.status, withoutRealm.errors]).toEqual([422, noRealm])
    expect((await (await realm.as("read")).get("/v2/users")).items).toMatchObject([{ id: user.id }])
  })
})
