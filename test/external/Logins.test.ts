import { describe, expect, test } from "vitest"
import { ACCESS_TOKEN, CALLBACK, logIn, oauth2StandIn, profile, submitCallback, urlFor } from "../support/external.ts"
import { statusAndErrors } from "../support/logins.ts"
import { newRealm } from "../support/sallyport.ts"
import { RawResponse } from "../support/standIns.ts"

describe("POST authorize with a code", () => {
  test("v2: creates a user with the profile as a credential and returns a session", async () => {
    const realm = await newRealm({ signup: "closed" })
    const told = profile({ email: "Jo@Example.TEST" })
    const { provider, double } = await oauth2StandIn(realm, told)
    const request = { ip: "203.0.113.7", client: "app" }
    const { result, events } = await realm.seen.during(() => logIn(realm, provider.id, { request }))
    const user_id = result.string("user_id")
    expect([result.status, result.member("object"), result.member("request")]).toEqual([201, "session", request])
    expect(result.member("user")).toMatchObject({
      id: user_id,
      email: "jo@example.test",
      email_verification: "verified",
      first_name: "Jo",
      last_name: "Doe"
    })
    expect(events).toEqual([
      { event_type: "user.created", user_id },
      { event_type: "user.login.succeeded", user_id, session_id: result.id }
    ])
    const user = await realm.get(`/v2/users/${user_id}`)
    expect([user.member("credentials", 0, "credential_type"), user.member("credentials", 1)]).toEqual([
      "oauth2",
      undefined
    ])
    const credential = await realm.get(`/v2/credentials/${user.string("credentials", 0, "id")}`)
    expect(credential.body).toMatchObject({
      auth_provider_id: provider.id,
      provider_user_id: told.sub,
      access_token: ACCESS_TOKEN,
      token_expires_at: 1_767_229_200
    })
    expect(double.at("token")[0]?.form).toMatchObject({ code: "a-code", redirect_uri: CALLBACK })
    expect(double.at("profile")[0]?.headers.authorization).toBe(`Bearer ${ACCESS_TOKEN}`)
  })

  test("finds the same user at the next login and stores the provider's new token", async () => {
    const realm = await newRealm()
    const { provider, double } = await oauth2StandIn(realm, profile())
    const first = await logIn(realm, provider.id)
    double.answers({ token: { access_token: "at-2", token_type: "bearer" } })
    const { result, events } = await realm.seen.during(() => logIn(realm, provider.id))
    const user_id = first.string("user_id")
    expect(events).toEqual([{ event_type: "user.login.succeeded", user_id, session_id: result.id }])
    const user = await realm.get(`/v2/users/${user_id}`)
    const credential = await realm.get(`/v2/credentials/${user.string("credentials", 0, "id")}`)
    expect([credential.member("access_token"), credential.member("token_expires_at")]).toEqual(["at-2", null])
  })

  test("v1: returns the user with a token, and memberships on request", async () => {
    const realm = await newRealm()
    const told = profile()
    const { provider } = await oauth2StandIn(realm, told)
    const state = (await urlFor(realm, provider.id)).searchParams.get("state")
    const reply = await realm.post("/v1/auth_providers/authorize?expand=memberships", { code: "a-code", state })
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({
      object: "user",
      email: told.email,
      token: expect.stringMatching(/^eyJ/),
      memberships: []
    })
    const bare = (await urlFor(realm, provider.id)).searchParams.get("state")
    const again = await realm.post("/v1/auth_providers/authorize", { code: "a-code", state: bare })
    expect([again.status, again.id, again.member("memberships")]).toEqual([200, reply.id, undefined])
  })

  test("rejects a wrong code with a retry_url and later accepts the right code with the same state", async () => {
    const realm = await newRealm()
    const { provider, double } = await oauth2StandIn(realm, profile())
    const right = { access_token: ACCESS_TOKEN, token_type: "bearer" }
    const wrong = new RawResponse(400, '{"error":"invalid_grant"}')
    double.answers({
      token: ({ form }: { form: Record<string, string> }) => (form["code"] === "right" ? right : wrong)
    })
    const url = await urlFor(realm, provider.id, "kept")
    const state = url.searchParams.get("state")
    const { result, events } = await realm.seen.during(() =>
      submitCallback(realm, { state, code: "wrong", nonce: "kept" })
    )
    expect([...statusAndErrors(result), events]).toEqual([422, ["Error validating code."], []])
    expect(result.member("provider_id")).toBe(provider.id)
    expect(result.member("retry_url")).toBe(url.href)
    expect((await submitCallback(realm, { state, code: "right", nonce: "kept" })).status).toBe(201)
  })

  test.each([
    ["v1", "/v1/auth_providers/authorize"],
    ["v2", "/v2/auth_providers/authorize"]
  ])("%s: reports a cancellation at the provider and passes on other provider errors", async (_, path) => {
    const realm = await newRealm()
    const { provider, double } = await oauth2StandIn(realm, profile())
    const url = await urlFor(realm, provider.id)
    const state = url.searchParams.get("state")
    const { result, events } = await realm.seen.during(() => realm.post(path, { error: "access_denied", state }))
    expect([...statusAndErrors(result), events]).toEqual([422, ["The login was canceled at the provider."], []])
    expect(result.body).toMatchObject({
      provider_id: provider.id,
      retry_url: url.href,
      error_details: [{ field: "error", code: "provider_denied", params: { error: "access_denied" } }]
    })
    const other = await realm.post(path, { error: "server_error", state })
    expect(statusAndErrors(other)).toEqual([422, ["The provider returned an error: server_error."]])
    expect(other.body).toMatchObject({
      error_details: [{ field: "error", code: "provider_error", params: { error: "server_error" } }]
    })
    expect(double.got).toEqual([])
  })

  test("reports all missing parameters at once", async () => {
    const realm = await newRealm()
    const both = ["State can't be blank.", "Code can't be blank."]
    for (const body of [{}, { code: "", state: null, error: " " }]) {
      for (const version of ["v1", "v2"]) {
        expect(statusAndErrors(await realm.post(`/${version}/auth_providers/authorize`, body))).toEqual([422, both])
      }
    }
  })

  test("returns errors in Spanish", async () => {
    const realm = await newRealm({ default_locale: "es", available_locales: ["es"] })
    const { provider } = await oauth2StandIn(
      realm,
      profile(),
      {},
      { token: new RawResponse(400, '{"error":"invalid_grant"}') }
    )
    expect(statusAndErrors(await logIn(realm, provider.id))).toEqual([422, ["Error al validar el código."]])
  })

  test("authenticates at the provider with Basic, or in the body if Basic is rejected", async () => {
    const realm = await newRealm()
    const { provider, double } = await oauth2StandIn(realm, profile(), { client_id: "acme", client_secret: "a secret" })
    await logIn(realm, provider.id)
    expect(double.at("token").map(({ headers, form }) => [headers.authorization, form["client_secret"]])).toEqual([
      [`Basic ${Buffer.from("acme:a+secret").toString("base64")}`, undefined]
    ])
    double.answers({
      token: ({ form }: { form: Record<string, string> }) =>
        form["client_secret"] === "a secret"
          ? { access_token: ACCESS_TOKEN, token_type: "bearer" }
          : new RawResponse(401, '{"error":"invalid_client"}')
    })
    expect((await logIn(realm, provider.id)).status).toBe(201)
  })
})

describe("POST {id}/authorize with an access token", () => {
  test("returns a session in v2 and a user with a token in v1", async () => {
    const realm = await newRealm()
    const { provider, double } = await oauth2StandIn(realm, profile())
    const path = `auth_providers/${provider.id}/authorize`
    const { result, events } = await realm.seen.during(() =>
      realm.post(`/v2/${path}`, { access_token: "at-of-an-app" })
    )
    const user_id = result.string("user_id")
    expect([result.status, events]).toEqual([
      201,
      [
        { event_type: "user.created", user_id },
        { event_type: "user.login.succeeded", user_id, session_id: result.id }
      ]
    ])
    expect(double.got.map(({ path: at, headers }) => [at, headers.authorization])).toEqual([
      ["profile", "Bearer at-of-an-app"]
    ])
    const v1 = await realm.post(`/v1/${path}`, { access_token: "at-of-an-app" })
    expect([v1.status, v1.id, v1.member("token")]).toEqual([200, user_id, expect.stringMatching(/^eyJ/)])
  })

  test("reports a token that the provider rejects, without a retry_url", async () => {
    const realm = await newRealm()
    const { provider } = await oauth2StandIn(realm, new RawResponse(401, "{}"))
    for (const access_token of ["stolen", "a b", "a\r\nx: y", "ü"]) {
      const reply = await realm.post(`/v2/auth_providers/${provider.id}/authorize`, { access_token })
      expect(statusAndErrors(reply)).toEqual([
        422,
        ["The provider rejected the access token or issued it to another app."]
      ])
      expect(Object.keys(Object(reply.body)).sort()).toEqual(["error_details", "errors", "provider_id", "request_id"])
    }
  })

  test("rejects a blank token, and accepts no tokens for password, totp and oauth2", async () => {
    const realm = await newRealm()
    const { provider } = await oauth2StandIn(realm, profile())
    const blank = await realm.post(`/v2/auth_providers/${provider.id}/authorize`, {})
    expect(statusAndErrors(blank)).toEqual([422, ["Access token can't be blank."]])
    for (const name of ["password", "totp", "oauth2"]) {
      expect((await realm.post(`/v2/auth_providers/${name}/authorize`, { access_token: "x" })).status).toBe(404)
    }
  })
})
