import { expect, test } from "vitest"
import { statusAndErrors } from "../support/logins.ts"
import { newRealm } from "../support/sallyport.ts"

test.each([
  [{}, ["Issuer can't be blank."]],
  [{ issuer: "acme.example" }, ["Issuer must be an http or https URL."]],
  [{ issuer: "https://acme.example/?tenant=1" }, ["Issuer must be a URL without a query."]]
])("C298: rejects the settings %j of an oidc provider", async (settings, errors) => {
  const realm = await newRealm()
  const auth_provider = { provider_type: "oidc", client_id: "acme", client_secret: "s3cret", ...settings }
  expect(statusAndErrors(await realm.post("/v2/auth_providers", { auth_provider }))).toEqual([422, errors])
})

test("C298: accepts the URL of the discovery document as issuer", async () => {
  const realm = await newRealm()
  const issuer = "https://acme.example/realms/one"
  const provider = await realm.authProvider({
    provider_type: "oidc",
    client_id: "acme",
    client_secret: "s3cret",
    issuer: `${issuer}/.well-known/openid-configuration`
  })
  expect(provider.body).toMatchObject({ issuer, token_endpoint_auth_method: null, response_mode: "query" })
})
