import { expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { newRealm } from "../support/sallyport.ts"

/** The results of a search in order, as local parts of emails or names of orgs. */
const found = async (
  realm: GivenRealm,
  list: "users" | "orgs",
  text: string,
  more = ""
): Promise<ReadonlyArray<string>> => {
  const reply = await realm.get(`/v2/${list}?search=${encodeURIComponent(text)}${more}`)
  expect(reply.status).toBe(200)
  return reply.items.map(({ email, name }) => String(list === "users" ? email : name).split("@")[0] ?? "")
}

test("C204: finds users by the beginning of a name, email, reference or id, exact matches first", async () => {
  const realm = await newRealm()
  const created = async (name: string, attributes: object) =>
    realm.user({ email: `${name}@example.test`, ...attributes })
  await created("zoe", { first_name: "Ann", last_name: "Lee", reference: "CRM-7" })
  const ada = await created("ada", { first_name: "Ada", last_name: "Lovelace", username: "Countess" })
  await created("adam", { first_name: "Ann-Lee", email_pending: "new.adam@example.test", state: "inactive" })
  await created("eva", { first_name: "\u00c9va", last_name: "O%Brien_\\" })
  await created("lee", { reference: "crm-70" })
  const { result, events } = await realm.seen.during(() => found(realm, "users", "ADA"))
  expect([result, events]).toEqual([["ada", "adam"], []])
  for (const [text, names] of [
    ["ada@example.test", ["ada"]],
    ["new.", ["adam"]],
    ["count", ["ada"]],
    ["ada l", ["ada"]],
    ["Lovelace", ["ada"]],
    ["lovelace, a", ["ada"]],
    [" LEE ", ["lee", "zoe"]],
    ["ann", ["adam", "zoe"]],
    ["ann lee", ["zoe"]],
    ["CRM", ["zoe"]],
    ["crm-7", ["lee"]],
    ["E\u0301V", ["eva"]],
    ["\uff21\uff24\uff21", ["ada", "adam"]],
    [ada.id, ["ada"]],
    ["usr_", ["ada", "adam", "eva", "lee", "zoe"]],
    ["o%b", ["eva"]],
    ["o%brien_\\", ["eva"]],
    ["\u{10ffff}", []],
    ["\ud7ff", []],
    ["o_b", []],
    ["%", []],
    ["da", []],
    ["'; --", []],
    ["a".repeat(200), []]
  ] as const) {
    expect([text, await found(realm, "users", text)]).toEqual([text, names])
  }
  expect(await found(realm, "users", "ad", "&state=active&expand=custom")).toEqual(["ada"])
  for (const blank of ["", " ", "\u00a0"]) expect(await found(realm, "users", blank, "&max_results=5")).toHaveLength(5)
})

test("C204: finds orgs by the beginning of a name, reference or id, but no deleted orgs", async () => {
  const realm = await newRealm()
  const acme = await realm.org({ name: "Acme", reference: "c-1" })
  await realm.org({ name: "acme Sons", reference: "C-1" })
  const deletedOrg = await realm.org({ name: "Acme Gone" })
  await realm.delete(`/v2/orgs/${deletedOrg.id}?force=true`)
  await realm.delete(`/v2/orgs/${acme.id}`)
  expect(await found(realm, "orgs", "ACME")).toEqual(["Acme", "acme Sons"])
  expect(await found(realm, "orgs", "acme", "&state=active")).toEqual(["acme Sons"])
  expect(await found(realm, "orgs", "c-")).toEqual(["Acme"])
  expect(await found(realm, "orgs", acme.id)).toEqual(["Acme"])
  expect(await found(realm, "orgs", "sons")).toEqual([])
})

test("C204: returns at most twenty results by default, all from the caller's realm", async () => {
  const [realm, other] = [await newRealm(), await newRealm()]
  await Promise.all(Array.from({ length: 21 }, (_, n) => realm.user({ email: `u${n + 10}@example.test` })))
  const user = await other.user({ email: "u99@example.test" })
  const counted = async (query: string) => {
    const reply = await realm.get(`/v2/users?search=u${query}`)
    return [reply.items.length, reply.member("more_results")]
  }
  expect(await counted("")).toEqual([20, true])
  expect(await counted("&max_results=21")).toEqual([21, false])
  expect(await counted("&max_results=1")).toEqual([1, true])
  expect(await found(realm, "users", user.id)).toEqual([])
  // In a realm without usernames, stored usernames are not searched.
  await other.user({ email: "a@example.test", first_name: "A", username: "hidden" })
  expect(await found(other, "users", "hid")).toEqual(["a"])
  await other.put(`/v2/realms/${other.id}`, { realm: { username_validation_human: "email" } })
  expect(await found(other, "users", "hid")).toEqual([])
})

test("C204: rejects a search that is too long, or is combined with paging, sorting or an exact filter", async () => {
  const realm = await newRealm()
  const problems = async (path: string) => {
    const reply = await realm.get(path)
    return [reply.status, reply.member("error_details")]
  }
  const notWithSearch = (field: string) => ({
    field,
    code: "not_with_search",
    message: `${field.charAt(0).toUpperCase()}${field.slice(1)} can't be combined with search.`
  })
  expect(await problems("/v2/users?search=a&after=x&sort=id&direction=asc&email=a&username=b&reference=c")).toEqual([
    422,
    ["after", "sort", "direction", "email", "reference", "username"].map(notWithSearch)
  ])
  expect(await problems("/v2/orgs?search=a&sort=id&reference=")).toEqual([
    422,
    ["sort", "reference"].map(notWithSearch)
  ])
  expect((await realm.get("/v2/users?search=a&after=")).status).toBe(200)
  for (const [search, code] of [
    ["a".repeat(201), "too_long"],
    ["a%00", "invalid"]
  ]) {
    expect(await problems(`/v2/users?search=${search}`)).toMatchObject([422, [{ field: "search", code }]])
  }
})
