import { expect, test } from "vitest"
import { Raw } from "../support/doubles.ts"
import { oauth2Double } from "../support/external.ts"
import { ownService, service } from "../support/sallyport.ts"

const accepted = "The client ID and the client secret are accepted."
const refused = (told: string) => `The client ID or the client secret is not accepted: ${told}.`

test("C209, SEC-207: A test of a provider tells which endpoint answers and whether the client is accepted, by a code that is made up", async () => {
  const realm = await (await service()).given.realm()
  const { provider, double } = await oauth2Double(
    realm,
    new Raw(401, "{}"),
    { client_secret: "s3cret" },
    {
      authorize: new Raw(302, "", { location: "/login" })
    }
  )
  const path = `/v2/auth_providers/${provider.id}/test`
  for (const [answer, state, detail] of [
    [new Raw(400, '{"error":"invalid_grant"}'), "completed", accepted],
    [new Raw(200, '{"error":"bad_verification_code"}'), "completed", accepted],
    [new Raw(401, '{"error":"invalid_client"}'), "failed", refused("HTTP 401 invalid_client")],
    [{ access_token: "at" }, "failed", "The server took a code that was made up."],
    [new Raw(404, "<h1>s3cret</h1>"), "failed", "The server answers HTTP 404."],
    [
      new Raw(400, '{"error":"<b>odd</b>"}'),
      "skipped",
      "The answer does not tell whether the client is accepted: HTTP 400."
    ]
  ] as const) {
    double.answers({ token: answer })
    const { result, events } = await realm.seen.during(() => realm.post(path, {}))
    const body = {
      object: "auth_provider_test",
      state: state === "failed" ? "failed" : "completed",
      checks: [
        { name: "authorization_endpoint", state: "completed", detail: "The server answers HTTP 302." },
        { name: "token_endpoint", state, detail },
        { name: "profile_endpoint", state: "completed", detail: "The server answers HTTP 401." }
      ]
    }
    expect([result.status, result.body, events]).toEqual([200, body, []])
  }
  expect(double.at("token").map(({ form }) => form["code"])).toContain("a-code-that-was-made-up")
  const builtIn = await realm.post("/v2/auth_providers/password/test", {})
  const detail = "Providers of this type call nothing outside the service."
  expect(builtIn.body).toEqual({
    object: "auth_provider_test",
    state: "completed",
    checks: [{ name: "settings", state: "completed", detail }]
  })
})

test("SEC-207: A realm has as many tests of providers a minute as its limits say", () =>
  ownService(
    async ({ given }) => {
      const realm = await given.realm({ limits: { provider_tests: 1 } })
      const { provider } = await oauth2Double(realm, {})
      const path = `/v2/auth_providers/${provider.id}/test`
      expect((await realm.post(path, {})).status).toBe(200)
      const { result, events } = await realm.seen.during(() => realm.post(path, {}))
      expect([result.status, events]).toEqual([429, []])
    },
    { limits: "all" }
  ))
