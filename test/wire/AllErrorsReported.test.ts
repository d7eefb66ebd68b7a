import { describe, expect, test } from "vitest"
import { PASSWORD } from "../support/logins.ts"
import { passwordToken } from "../support/tokens.ts"
import { realmOf, sideEffectFree } from "../support/wrongFields.ts"

const mismatch = { password: "short", password_confirmation: "shorter" }

const weakPasswordErrors = [
  ["password_confirmation", "unmatched"],
  ["password", "too_short"]
]

describe("C69: the response reports every invalid field at once for", () => {
  test("a new user with orgs and a new org, inside and outside the wrapper", async () => {
    const user = {
      email: "nobody",
      ...mismatch,
      custom: { "a b": 1 },
      permissions: ["ar:root"],
      org: { name: " " },
      org_ids: ["org_a"]
    }
    expect(await sideEffectFree((realm) => realm.post("/v2/users", { user, org_ids: ["org_b"] }))).toEqual([
      ["password_confirmation", "unmatched"],
      ["org_ids", "conflicting"],
      ["permissions", "permission_reserved"],
      ["name", "blank"],
      ["email", "email_form"],
      ["custom.a b", "custom_key"],
      ["password", "too_short"]
    ])
  })

  test("a new user in /v1 without a type", async () => {
    expect(
      await sideEffectFree((realm) => realm.post("/v1/users", { user: { email: "nobody", ...mismatch } }))
    ).toEqual([
      ["user_type", "blank"],
      ["password_confirmation", "unmatched"],
      ["email", "email_form"],
      ["username", "blank"],
      ["password", "too_short"]
    ])
  })

  test("a new org with a new user", async () => {
    const org = { name: "", permissions: ["not one"], user: { email: "nobody", ...mismatch } }
    expect(await sideEffectFree((realm) => realm.post("/v2/orgs", { org }))).toEqual([
      ["password_confirmation", "unmatched"],
      ["name", "blank"],
      ["permissions", "permission_form"],
      ["email", "email_form"],
      ["password", "too_short"]
    ])
  })

  test.each(["", "/profile"])("an update of a user (%s)", async (path) => {
    const { id } = await (await realmOf()).user()
    const user = { email: "nobody", ...mismatch }
    expect(await sideEffectFree((realm) => realm.put(`/v2/users/${id}${path}`, { user }))).toEqual([
      ["password_confirmation", "unmatched"],
      ["email", "email_form"],
      ["password", "too_short"]
    ])
  })

  test.each(["v1", "v2"])("a password change, including the current password (%s)", async (version) => {
    const { id } = await (await realmOf()).user({ password: PASSWORD, username: `jo-${version}` })
    const user = { current_password: "x".repeat(513), ...mismatch }
    for (let attempt = 0; attempt < 11; attempt += 1) {
      expect(await sideEffectFree((realm) => realm.put(`/${version}/users/${id}/update_password`, { user }))).toEqual([
        ["password_confirmation", "unmatched"],
        ["current_password", "too_long"],
        ["password", "too_short"]
      ])
    }
    expect(
      (await (await realmOf()).post(`/v2/users/${id}/authenticate`, { user: { password: PASSWORD } })).status
    ).toBe(200)
  })

  test("a password reset, which keeps the token valid", async () => {
    const realm = await realmOf()
    const { id } = await realm.user()
    const token = await passwordToken(realm, id)
    const reset = (sent: object) => realm.post("/v2/users/reset_password_with_token", { user: { token, ...sent } })
    expect(await sideEffectFree(() => reset(mismatch))).toEqual(weakPasswordErrors)
    expect(await sideEffectFree(() => reset({ ...mismatch, token: "tpw:nonsense" }))).toEqual([
      ["password_confirmation", "unmatched"]
    ])
    expect((await reset({ password: PASSWORD, password_confirmation: PASSWORD })).status).toBe(200)
  })

  test("a signup token", async () => {
    const user_token = { email: "nobody", ...mismatch }
    expect(await sideEffectFree((realm) => realm.post("/v1/user_tokens", { user_token }))).toEqual([
      ["password_confirmation", "unmatched"],
      ["email", "email_form"],
      ["username", "blank"],
      ["password", "too_short"]
    ])
  })

  test("a credential's password and confirmation", async () => {
    const realm = await realmOf()
    const { id } = await realm.user()
    const credential = { user_id: id, credential_type: "password", ...mismatch }
    expect(await sideEffectFree(() => realm.post("/v2/credentials", { credential }))).toEqual(weakPasswordErrors)
    const device = await realm.post("/v2/credentials", {
      credential: { user_id: id, credential_type: "totp", name: "Phone" }
    })
    const change = { name: "Tablet", password_confirmation: "x" }
    expect(await sideEffectFree(() => realm.put(`/v2/credentials/${device.id}`, { credential: change }))).toEqual([
      ["password_confirmation", "unmatched"]
    ])
    expect((await realm.get(`/v2/credentials/${device.id}`)).member("name")).toBe("Phone")
  })
})
