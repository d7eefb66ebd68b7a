import { expect, test } from "vitest"
import { oauthEndpoints } from "#domain/oauth/OAuthPaths"
import { Api } from "#testing/Api"
import { service } from "../support/sallyport.ts"

test.each([
  "par",
  "token",
  "introspect",
  "revoke",
  "device"
] as const)("the endpoint %s rejects a form over 256 KiB as too large", async (endpoint) => {
  const { given, transport } = await service()
  const realm = await given.realm()
  const headers = { host: "id.example.test", "content-type": "application/x-www-form-urlencoded" }
  const send = (size: number) =>
    new Api(transport, undefined).call("POST", `/realms/${realm.id}/${oauthEndpoints[endpoint].suffix}`, {
      body: `a=${"x".repeat(size)}`,
      headers
    })
  const { status, body } = await send(256 * 1_024)
  expect([status, body]).toEqual([
    413,
    { error: "invalid_request", error_description: "The body is larger than 256 KiB." }
  ])
  expect((await send(255 * 1_024)).status).not.toBe(413)
  expect((await realm.get("/v2/events?user_id=null")).items).toEqual([])
})
