import { describe, expect, test } from "vitest"
import { logIn, oauth2StandIn, profile } from "../support/external.ts"
import { ownService, service } from "../support/sallyport.ts"
import { RawResponse, type ReceivedRequest } from "../support/standIns.ts"

const accepted = "The client ID and the client secret are accepted."
const clientRejected = (told: string) => `The client ID or the client secret is not accepted: ${told}.`

test("C209, SEC-207: a provider test reports reachable endpoints and checks the client with an invalid code", async () => {
  const realm = await (await service()).given.realm()
  const { provider, double } = await oauth2StandIn(
    realm,
    new RawResponse(401, "{}"),
    { client_secret: "s3cret" },
    {
      authorize: new RawResponse(302, "", { location: "/login" })
    }
  )
  const path = `/v2/auth_providers/${provider.id}/test`
  for (const [answer, state, detail] of [
    [new RawResponse(400, '{"error":"invalid_grant"}'), "completed", accepted],
    [new RawResponse(200, '{"error":"bad_verification_code"}'), "completed", accepted],
    [new RawResponse(401, '{"error":"invalid_client"}'), "failed", clientRejected("HTTP 401 invalid_client")],
    [{ access_token: "at" }, "failed", "The server accepted a made-up code."],
    [new RawResponse(404, "<h1>s3cret</h1>"), "failed", "The server responded with HTTP 404."],
    [
      new RawResponse(400, '{"error":"<b>odd</b>"}'),
      "skipped",
      "The response does not show whether the client is accepted: HTTP 400."
    ]
  ] as const) {
    double.answers({ token: answer })
    const { result, events } = await realm.seen.during(() => realm.post(path, {}))
    const body = {
      object: "auth_provider_test",
      state: state === "failed" ? "failed" : "completed",
      checks: [
        { name: "authorization_endpoint", state: "completed", detail: "The server responded with HTTP 302." },
        { name: "token_endpoint", state, detail },
        { name: "profile_endpoint", state: "completed", detail: "The server responded with HTTP 401." }
      ]
    }
    expect([result.status, result.body, events]).toEqual([200, body, []])
  }
  expect(double.at("token").map(({ form }) => form["code"])).toContain("a-code-that-was-made-up")
  const builtIn = await realm.post("/v2/auth_providers/password/test", {})
  const detail = "Providers of this type make no outbound requests."
  expect(builtIn.body).toEqual({
    object: "auth_provider_test",
    state: "completed",
    checks: [{ name: "settings", state: "completed", detail }]
  })
})

test("C10: a provider test explains its results in the caller's language", async () => {
  const realm = await (await service()).given.realm()
  const { provider, double } = await oauth2StandIn(realm, new RawResponse(401, "{}"), { client_secret: "s3cret" })
  double.answers({ token: new RawResponse(401, '{"error":"invalid_client"}') })
  const { result, events } = await realm.seen.during(() =>
    realm.post(`/v2/auth_providers/${provider.id}/test`, {}, { "accept-language": "es-MX" })
  )
  expect([result.status, result.member("checks"), events]).toEqual([
    200,
    [
      { name: "authorization_endpoint", state: "failed", detail: "El servidor respondió con HTTP 404." },
      {
        name: "token_endpoint",
        state: "failed",
        detail: "El ID o el secreto de cliente no se acepta: HTTP 401 invalid_client."
      },
      { name: "profile_endpoint", state: "completed", detail: "El servidor respondió con HTTP 401." }
    ],
    []
  ])
})

/** The responses of a token endpoint that accepts the client secret in only one place. */
const acceptsOnly =
  (place: "basic" | "body", refusal: RawResponse) =>
  ({ headers, form }: ReceivedRequest): RawResponse => {
    const isBasic = headers.authorization?.startsWith("Basic ") === true
    const isAccepted = place === "basic" ? isBasic : !isBasic && form["client_secret"] !== undefined
    return isAccepted ? new RawResponse(400, '{"error":"invalid_grant"}') : refusal
  }

describe("C282: a provider test", () => {
  const [standard, odd] = [
    new RawResponse(401, '{"error":"invalid_client"}'),
    new RawResponse(400, '{"error":"invalid_request"}')
  ]
  const [inBody, byBasic] = [
    "The client ID and the client secret are accepted only in the body: set token_endpoint_auth_method to client_secret_post.",
    "The client ID and the client secret are accepted only by HTTP Basic: set token_endpoint_auth_method to client_secret_basic."
  ]

  test.each([
    [null, "basic", standard, "completed", accepted],
    [null, "body", standard, "completed", inBody],
    [null, "body", odd, "failed", inBody],
    ["client_secret_basic", "basic", standard, "completed", accepted],
    ["client_secret_basic", "body", standard, "failed", inBody],
    ["client_secret_post", "body", standard, "completed", accepted],
    ["client_secret_post", "basic", odd, "failed", byBasic]
  ] as const)("detects where the client secret is accepted (setting %s, accepted: %s)", async (method, place, refusal, state, detail) => {
    const realm = await (await service()).given.realm()
    const settings = { token_endpoint_auth_method: method }
    const { provider } = await oauth2StandIn(realm, {}, settings, { token: acceptsOnly(place, refusal) })
    const { body } = await realm.post(`/v2/auth_providers/${provider.id}/test`, {})
    expect(body).toMatchObject({ checks: [{}, { name: "token_endpoint", state, detail }, {}] })
  })
})

describe("C282: a provider login", () => {
  test.each([
    ["client_secret_basic", "basic"],
    ["client_secret_post", "body"]
  ] as const)("sends the client secret only as token_endpoint_auth_method specifies (%s)", async (method, place) => {
    const realm = await (await service()).given.realm()
    const granted = { access_token: "at", token_type: "bearer" }
    const { provider, double } = await oauth2StandIn(
      realm,
      profile(),
      { token_endpoint_auth_method: method, client_secret: "s3cret" },
      { token: granted }
    )
    expect(provider.member("token_endpoint_auth_method")).toBe(method)
    expect((await logIn(realm, provider.id)).status).toBe(201)
    const tokenRequests = double.at("token")
    expect(
      tokenRequests.map(({ headers, form }) => [headers.authorization !== undefined, form["client_secret"]])
    ).toEqual([place === "basic" ? [true, undefined] : [false, "s3cret"]])
    double.answers({ token: new RawResponse(401, '{"error":"invalid_client"}') })
    expect((await logIn(realm, provider.id)).status).toBe(422)
    expect(double.at("token")).toHaveLength(2)
    const path = `/v2/auth_providers/${provider.id}`
    const { result, events } = await realm.seen.during(() =>
      realm.put(path, { auth_provider: { token_endpoint_auth_method: null } })
    )
    expect([result.member("token_endpoint_auth_method"), events.map(({ event_type: type }) => type)]).toEqual([
      null,
      ["auth_provider.updated"]
    ])
    expect((await logIn(realm, provider.id)).status).toBe(422)
    expect(double.at("token")).toHaveLength(4)
    const wrong = await realm.put(path, { auth_provider: { token_endpoint_auth_method: "private_key_jwt" } })
    expect([wrong.status, wrong.member("error_details")]).toMatchObject([
      422,
      [{ field: "token_endpoint_auth_method", code: "inclusion" }]
    ])
  })
})

test("SEC-207: a realm's provider tests are limited per minute", () =>
  ownService(
    async ({ given }) => {
      const realm = await given.realm({ limits: { provider_tests: 1 } })
      const { provider } = await oauth2StandIn(realm, {})
      const path = `/v2/auth_providers/${provider.id}/test`
      expect((await realm.post(path, {})).status).toBe(200)
      const { result, events } = await realm.seen.during(() => realm.post(path, {}))
      expect([result.status, events]).toEqual([429, []])
    },
    { limits: "all" }
  ))
