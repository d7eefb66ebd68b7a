import { expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { authenticate, PASSWORD } from "../support/logins.ts"
import { clockedService } from "../support/sallyport.ts"

const usernamesOf = (reply: Reply) => reply.items.map((user) => String(user["username"]))

/** A realm with three human users and an API user. Each `logIn` is an hour after the previous one. */
const realmWithUsers = async () => {
  const { given, clock } = await clockedService()
  const realm = await given.realm()
  for (const username of ["amy", "ben", "cat"]) await realm.user({ username, password: PASSWORD })
  const bot = await realm.apiUser({ username: "bot", api_key: "generate" })
  const ids = new Map((await realm.get("/v1/users")).items.map((user) => [user["username"], String(user["id"])]))
  const idOf = (name: string) => ids.get(name) ?? ""
  const logIn = async (name: string) => {
    clock.advance("1 hour")
    const reply =
      name === "bot"
        ? await realm.post("/v1/users/authenticate_key", { api_key: bot.string("api_key") })
        : await authenticate(realm, idOf(name), PASSWORD)
    expect(reply.status).toBe(200)
  }
  return { realm, idOf, logIn, later: () => clock.advance("25 hours") }
}

const listOrder = async (realm: GivenRealm, version: "v1" | "v2", filter = "") =>
  usernamesOf(await realm.get(`/${version}/users?sort=last_login${filter}`)).join(" ")

test("sort=last_login lists users who never logged in first, then other users by their last login", async () => {
  const { realm, logIn, later } = await realmWithUsers()
  expect(await listOrder(realm, "v1")).toBe("amy ben cat bot")
  await logIn("cat")
  await logIn("bot")
  await logIn("amy")
  expect(await listOrder(realm, "v1")).toBe("ben cat bot amy")
  expect(await listOrder(realm, "v1", "&direction=desc")).toBe("amy bot cat ben")
  later()
  await logIn("bot")
  await logIn("cat")
  expect(await listOrder(realm, "v1")).toBe("ben amy bot cat")
  expect(await listOrder(realm, "v2")).toBe("ben amy cat")
  expect(await listOrder(realm, "v1", "&user_type=api")).toBe("bot")
})

test("sort=last_login pages correctly through users with equal and different times", async () => {
  const { realm, logIn, idOf } = await realmWithUsers()
  await logIn("bot")
  await logIn("amy")
  const rest = (name: string, direction: string) =>
    listOrder(realm, "v1", `&max_results=2&direction=${direction}&after=${idOf(name)}`)
  expect([await rest("ben", "asc"), await rest("cat", "asc"), await rest("amy", "asc")]).toEqual([
    "cat bot",
    "bot amy",
    ""
  ])
  expect([await rest("amy", "desc"), await rest("bot", "desc"), await rest("ben", "desc")]).toEqual([
    "bot cat",
    "cat ben",
    ""
  ])
})

test("an update keeps a user's position with sort=last_login, unless a filter no longer matches", async () => {
  const { realm, logIn, idOf } = await realmWithUsers()
  await logIn("cat")
  await logIn("amy")
  await realm.put(`/v2/users/${idOf("cat")}`, { user: { first_name: "Zoe" } })
  expect(await listOrder(realm, "v2")).toBe("ben cat amy")
  await realm.put(`/v2/users/${idOf("cat")}`, { user: { state: "inactive" } })
  expect([await listOrder(realm, "v2", "&state=active"), await listOrder(realm, "v2", "&state=inactive")]).toEqual([
    "ben amy",
    "cat"
  ])
  await realm.put(`/v2/users/${idOf("cat")}`, { user: { state: "active" } })
  expect([await listOrder(realm, "v2", "&state=active"), await listOrder(realm, "v2", "&state=inactive")]).toEqual([
    "ben cat amy",
    ""
  ])
})

test("a deleted user disappears from a list with sort=last_login", async () => {
  const { realm, logIn, idOf } = await realmWithUsers()
  await logIn("cat")
  await realm.delete(`/v2/users/${idOf("cat")}`)
  expect(await listOrder(realm, "v2")).toBe("amy ben")
})
