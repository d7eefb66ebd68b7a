import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { service } from "../support/sallyport.ts"

const newRealm = async (): Promise<GivenRealm> => (await service()).given.realm({ name: "Northwind Traders" })

/** A user whose names an attacker might guess passwords from. */
const owner = () => ({
  username: `marigold.${uniqueText("u")}`,
  email: `evergreen.${uniqueText("e")}@example.test`,
  first_name: "Ottoline",
  last_name: "Featherstone"
})

/** The calls that set a user's password through the management API. */
const entryPoints: Readonly<Record<string, (realm: GivenRealm, password: string) => Promise<Reply>>> = {
  "POST /v1/users": (realm, password) =>
    realm.post("/v1/users", { user: { user_type: "human", ...owner(), password } }),
  "POST /v1/users, credentials": (realm, password) => {
    const credentials = [{ credential_type: "password", password }]
    return realm.post("/v1/users", { user: { user_type: "human", ...owner(), credentials } })
  },
  "POST /v2/users": (realm, password) => realm.post("/v2/users", { user: { ...owner(), password } }),
  "POST /v2/orgs": (realm, password) =>
    realm.post("/v2/orgs", { org: { name: "Acme" }, user: { ...owner(), password } }),
  "POST /v1/user_tokens": (realm, password) => realm.post("/v1/user_tokens", { user_token: { ...owner(), password } }),
  "PUT /v1/users": async (realm, password) =>
    realm.put(`/v1/users/${(await realm.user(owner())).id}`, { user: { password } }),
  "PUT /v2/users": async (realm, password) =>
    realm.put(`/v2/users/${(await realm.user(owner())).id}`, { user: { password } }),
  "PUT /v2/users with new names": async (realm, password) =>
    realm.put(`/v2/users/${(await realm.user()).id}`, { user: { ...owner(), password } })
}

const tooShort = "Password is too short (minimum is 8 characters)."
const common = "Password is too common. Choose a different one."
const context = "Password can't contain the name of the realm, or a name or email of the user."

describe.each(Object.keys(entryPoints))("SEC-01, SEC-02: a password set by %s", (name) => {
  const entryPoint = entryPoints[name] ?? (() => Promise.reject(new Error(name)))

  test.each([
    ["ab3defg", tooShort],
    ["ｈｕｎｔｅｒ１", tooShort],
    ["password1", common],
    ["PASSWORD1", common],
    ["northwind-2026", context],
    ["my TRADERS login", context],
    ["marigold-and-more", context],
    ["the Evergreen one", context],
    ["x-ottoline-x", context],
    ["FEATHERSTONE!", context]
  ])("is rejected: %s", async (password, sentence) => {
    const realm = await newRealm()
    const reply = await entryPoint(realm, password)
    expect([reply.status, reply.errors]).toEqual([422, [sentence]])
    expect((await realm.seen.all()).map((event) => event["event_type"])).not.toContain("user.updated")
  })

  test("is accepted if it breaks no rule", async () => {
    const reply = await entryPoint(await newRealm(), "correct horse battery")
    expect(reply.status).toBeLessThan(300)
    expect(reply.text).not.toContain("correct horse battery")
  })
})
