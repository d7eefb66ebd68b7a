import { describe, expect, test } from "vitest"
import { destination } from "../support/hooks.ts"
import { service } from "../support/sallyport.ts"
import { codes, realmOf, sideEffectFree } from "../support/wrongFields.ts"

describe("C69: one response reports both wrong types and broken rules", () => {
  test.each(["v1", "v2"])("of a new user (%s)", async (version) => {
    const user = {
      user_type: "human",
      username: "\u0001",
      email: "nobody",
      first_name: 5,
      password: "short",
      custom: []
    }
    const found = await sideEffectFree((realm) => realm.post(`/${version}/users`, { user }))
    expect(found).toEqual([
      ["first_name", "not_text"],
      ["custom", "not_object"],
      ["email", "email_form"],
      ["username", "username_form"],
      ["password", "too_short"]
    ])
  })

  test.each(["v1", "v2"])("of a new user with an org and credentials (%s)", async (version) => {
    const user = {
      user_type: "human",
      username: "ada",
      email: "nobody",
      permissions: ["ar:root"],
      org: { name: " ", state: "gone" },
      credentials: [{ credential_type: "smoke" }, { credential_type: "password", password: "short" }]
    }
    expect(await sideEffectFree((realm) => realm.post(`/${version}/users`, { user }))).toEqual([
      ["credential_type", "inclusion"],
      ["state", "inclusion"],
      ["permissions", "permission_reserved"],
      ["name", "blank"],
      ["email", "email_form"],
      ["password", "too_short"]
    ])
  })

  test.each([
    "/v1/users/:id",
    "/v2/users/:id",
    "/v2/users/:id/profile"
  ])("of an update of a user (%s)", async (path) => {
    const { id } = await (await realmOf()).user({ username: `changed${path.replaceAll(/\W/g, "-")}` })
    const user = { email: "nobody", last_name: [], password: "short" }
    expect(await sideEffectFree((realm) => realm.put(path.replace(":id", id), { user }))).toEqual([
      ["last_name", "not_text"],
      ["email", "email_form"],
      ["password", "too_short"]
    ])
  })

  test.each(["v1", "v2"])("of a new org, its new user, and an update (%s)", async (version) => {
    const org = {
      name: " ",
      custom: 1,
      user: { user_type: "human", username: "bo", email: "nobody", locale: 5, credentials: [] }
    }
    expect(await sideEffectFree((realm) => realm.post(`/${version}/orgs`, { org }))).toEqual([
      ["custom", "not_object"],
      ...(version === "v1" ? [] : [["locale", "not_text"]]),
      ["name", "blank"],
      ["email", "email_form"]
    ])
    const { id } = await (await realmOf()).org()
    expect(
      await sideEffectFree((realm) => realm.put(`/${version}/orgs/${id}`, { org: { name: " ", state: "gone" } }))
    ).toEqual([
      ["state", "inclusion"],
      ["name", "blank"]
    ])
  })

  test.each(["v1", "v2"])("of a membership (%s)", async (version) => {
    const realm = await realmOf()
    const [user, org] = [await realm.user({ username: `member-${version}` }), await realm.org()]
    const wrong = version === "v1" ? { custom: 1 } : { expires_at: "soon" }
    const [[field, code]] = version === "v1" ? [["custom", "not_object"]] : [["expires_at", "not_time"]]
    const both = [
      [field, code],
      ["permissions", "permission_form"]
    ]
    const attributes = { permissions: ["not one"], ...wrong }
    const membership = { user_id: user.id, org_id: org.id, ...attributes }
    expect(await sideEffectFree(() => realm.post(`/${version}/memberships`, { membership }))).toEqual(both)
    const { id } = await realm.post(`/${version}/memberships`, { membership: { user_id: user.id, org_id: org.id } })
    expect(await sideEffectFree(() => realm.put(`/${version}/memberships/${id}`, { membership: attributes }))).toEqual(
      both
    )
  })

  test("of an invitation, even if the email is not a string", async () => {
    const realm = await realmOf()
    const invitation = { invitation_type: "org", email: 5, locale: 5, permissions: ["not one"], expires_at: 1 }
    expect(await sideEffectFree(() => realm.post("/v2/invitations", { invitation }))).toEqual([
      ["email", "not_text"],
      ["locale", "not_text"],
      ["permissions", "permission_form"],
      ["expires_at", "in_past"],
      ["org_id", "blank"]
    ])
    const { id } = await realm.invitation()
    const change = { permissions: 5, expires_at: 1 }
    expect(await sideEffectFree(() => realm.put(`/v2/invitations/${id}`, { invitation: change }))).toEqual([
      ["permissions", "not_list"],
      ["expires_at", "in_past"]
    ])
  })

  test.each(["v1", "v2"])("of a credential (%s)", async (version) => {
    const realm = await realmOf()
    const { id } = await realm.user({ username: `holder-${version}` })
    const credential = { user_id: id, credential_type: "totp", access_token: 5, name: " " }
    expect(await sideEffectFree(() => realm.post(`/${version}/credentials`, { credential }))).toEqual([
      ["access_token", "not_text"],
      ["name", "blank"]
    ])
    const device = await realm.post(`/${version}/credentials`, {
      credential: { user_id: id, credential_type: "totp", name: "Phone" }
    })
    const change = { name: " ", access_token: 5 }
    expect(
      await sideEffectFree(() => realm.put(`/${version}/credentials/${device.id}`, { credential: change }))
    ).toEqual([
      ["access_token", "not_text"],
      ["name", "blank"]
    ])
  })

  test.each(["v1", "v2"])("of an auth provider (%s)", async (version) => {
    const realm = await realmOf()
    const auth_provider = { provider_type: "google", client_id: " ", client_secret: 5, scopes: ["a\u0001"] }
    const both = [
      ["client_secret", "not_text"],
      ["client_id", "blank"],
      ["scopes", "scope_form"]
    ]
    expect(await sideEffectFree(() => realm.post(`/${version}/auth_providers`, { auth_provider }))).toEqual(both)
    const change = { min_length: 1, state: "gone" }
    expect(
      await sideEffectFree(() => realm.put(`/${version}/auth_providers/password`, { auth_provider: change }))
    ).toEqual([
      ["state", "inclusion"],
      ["min_length", "range"]
    ])
  })

  test.each([
    ["v1", "app_hook", "app_hooks"],
    ["v2", "hook", "hooks"]
  ])("of a hook (%s)", async (version, wrapper, path) => {
    const realm = await realmOf()
    const hook = { realm_id: realm.id, event_type: ["user.flown"], destination: "nowhere", delay: "soon" }
    const both = [
      ["delay", "not_number"],
      ["event_type", "not_event_type"],
      ["destination", "url_form"]
    ]
    expect(await sideEffectFree(() => realm.post(`/${version}/${path}`, { [wrapper]: hook }))).toEqual(both)
    expect(
      await sideEffectFree(() =>
        realm.post(`/${version}/${path}`, {
          [wrapper]: { realm_id: realm.id, hook_type: "pigeon", event_type: ["user.flown"] }
        })
      )
    ).toEqual([
      ["hook_type", "inclusion"],
      ["event_type", "not_event_type"]
    ])
    const { id } = await realm.post(`/${version}/${path}`, {
      [wrapper]: { realm_id: realm.id, event_type: [], destination: destination() }
    })
    const { realm_id: _, ...change } = hook
    expect(await sideEffectFree(() => realm.put(`/${version}/${path}/${id}`, { [wrapper]: change }))).toEqual(both)
  })

  test.each([
    ["v1", "login_policy", "login_policies"],
    ["v2", "client_app", "client_apps"]
  ])("of a connected app (%s)", async (version, wrapper, path) => {
    const realm = await realmOf()
    const app = { name: "", allow_jsonp: "perhaps", login_handler: "nowhere" }
    const found = await sideEffectFree(() => realm.post(`/${version}/${path}`, { [wrapper]: app }))
    expect(found.slice(0, 2)).toEqual([
      ["allow_jsonp", "not_boolean"],
      ["name", "blank"]
    ])
    expect(found[2]?.[0]).toBe("login_handler")
    const { id } = await realm.post(`/${version}/${path}`, {
      [wrapper]: { name: "App", login_handler: "https://app.example.test/login" }
    })
    expect(await sideEffectFree(() => realm.put(`/${version}/${path}/${id}`, { [wrapper]: app }))).toEqual(found)
  })

  test.each(["v1", "v2"])("of a realm (%s)", async (version) => {
    const realm = await realmOf()
    const settings = { name: " ", session_minutes: 0, signup: "sometimes" }
    const root = (await service()).given.root
    const created = await root.post(`/${version}/realms`, { realm: settings })
    expect(created.status).toBe(422)
    const changed = await sideEffectFree(() => realm.put(`/${version}/realms/${realm.id}`, { realm: settings }))
    expect(codes(created)).toEqual(changed)
    expect(changed.map(([field]) => field)).toEqual(["signup", "name", "session_minutes"])
  })

  test.each(["v1", "v2"])("of an API key (%s)", async (version) => {
    const realm = await realmOf()
    const api_key = { name: 5, level: "read", realm_id: realm.id, expires_at: 1 }
    expect(await sideEffectFree(() => realm.post(`/${version}/api_keys`, { api_key }))).toEqual([
      ["name", "not_text"],
      ["expires_at", "in_past"]
    ])
  })

  test("of a signup token, a new password and a password reset", async () => {
    const realm = await realmOf()
    const user_token = { email: "nobody", username: "x", first_name: 5, password: "short" }
    expect(await sideEffectFree(() => realm.post("/v1/user_tokens", { user_token }))).toEqual([
      ["first_name", "not_text"],
      ["email", "email_form"],
      ["password", "too_short"]
    ])
    const { id } = await realm.user({ password: "seven purple elephants" })
    const user = { current_password: 5, password: "short" }
    const both = [
      ["current_password", "not_text"],
      ["password", "too_short"]
    ]
    expect(await sideEffectFree(() => realm.put(`/v2/users/${id}/update_password`, { user }))).toEqual(both)
    const asked = await realm.post(`/v2/users/${id}/generate_password_token`, {})
    const reset = { token: asked.string("token"), password: "short", password_confirmation: 5 }
    expect(await sideEffectFree(() => realm.post("/v2/users/reset_password_with_token", { user: reset }))).toEqual([
      ["password_confirmation", "not_text"],
      ["password", "too_short"]
    ])
  })

  test("of a form, in the caller's language", async () => {
    const realm = await realmOf()
    const reply = await realm.call("POST", "/v2/orgs", {
      body: "org[name]=+&org[state]=gone",
      headers: { "content-type": "application/x-www-form-urlencoded", "accept-language": "es" }
    })
    expect([reply.status, codes(reply)]).toEqual([
      422,
      [
        ["state", "inclusion"],
        ["name", "blank"]
      ]
    ])
    expect(reply.headers.get("content-language")).toBe("es")
  })

  test("of a repeated request with an Idempotency-Key", async () => {
    const realm = await realmOf()
    const ask = () =>
      realm.call("POST", "/v2/orgs", {
        body: { org: { name: " ", state: "gone" } },
        headers: { "idempotency-key": "types-and-rules" }
      })
    const [first, again] = [await ask(), await ask()]
    expect([first.status, codes(first)]).toEqual([
      422,
      [
        ["state", "inclusion"],
        ["name", "blank"]
      ]
    ])
    expect([again.status, again.body, again.headers.get("idempotency-replayed")]).toEqual([422, first.body, "true"])
  })
})
