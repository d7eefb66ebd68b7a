import { describe, expect, test } from "vitest"
import { ACCESS_TOKEN, logIn, oauth2StandIn, profile } from "../support/external.ts"
import { service } from "../support/sallyport.ts"
import { RawResponse } from "../support/standIns.ts"

const INVALID_RESPONSE = [422, ["The provider's response is not valid."]]

/** Logs in at a provider with this token response. */
const loginWith = async (token: unknown) => {
  const realm = await (await service()).given.realm()
  const { provider, double } = await oauth2StandIn(realm, profile(), {}, { token })
  const { result, events } = await realm.seen.during(() => logIn(realm, provider.id))
  return { result, events: events.map(({ event_type: type }) => type), double }
}

describe("C281: a provider login", () => {
  test.each([
    ["scope is a list", { token_type: "Bearer", scope: ["openid", "email"] }],
    ["scope is null", { token_type: "Bearer", scope: null }],
    ["token_type is missing", {}],
    ["token_type is null", { token_type: null }],
    ["token_type is empty", { token_type: "" }],
    ["expires_in is a string", { token_type: "Bearer", expires_in: "3600" }],
    [
      "all other members are null",
      { token_type: null, expires_in: null, scope: null, refresh_token: null, id_token: null, error: null }
    ]
  ])("succeeds when %s in the token response", async (_, members) => {
    const { result, events, double } = await loginWith({ access_token: ACCESS_TOKEN, ...members })
    expect([result.status, events]).toEqual([201, ["user.created", "user.login.succeeded"]])
    expect(double.at("profile").map(({ headers }) => headers.authorization)).toEqual([`Bearer ${ACCESS_TOKEN}`])
  })

  test("succeeds when the token response is JSON with another content type", async () => {
    const body = JSON.stringify({ access_token: ACCESS_TOKEN, token_type: "bearer" })
    const { result } = await loginWith(new RawResponse(200, body, { "content-type": "text/plain; charset=utf-8" }))
    expect(result.status).toBe(201)
  })

  test.each([
    ["token_type is unknown", { access_token: "at", token_type: "mac" }],
    ["token_type is not a string", { access_token: "at", token_type: ["bearer"] }],
    ["access_token is null", { access_token: null, token_type: "bearer" }],
    ["access_token is empty", { access_token: "", token_type: "bearer" }],
    ["access_token is a number", { access_token: 42 }],
    ["scope is an object", { access_token: "at", token_type: "bearer", scope: { a: 1 } }],
    ["expires_in is not a number", { access_token: "at", token_type: "bearer", expires_in: "soon" }],
    ["id_token is not a string", { access_token: "at", token_type: "bearer", id_token: 7, scope: 7 }]
  ])("fails when %s in the token response", async (_, token) => {
    const { result, events } = await loginWith(token)
    expect([result.status, result.member("errors"), events]).toEqual([...INVALID_RESPONSE, []])
  })
})
