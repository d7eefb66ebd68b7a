import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { oauthClient } from "../support/oauth.ts"
import { service } from "../support/sallyport.ts"

const started = async (settings: object) => (await service()).given.realm({ ...settings })

test("C168: a realm without OAuth clients and RS256 key publishes only its issuer and JWKS", async () => {
  const realm = await started({ jwt_algo: "hs256" })
  const issuer = `https://id.example.test/realms/${realm.id}`
  const old = {
    issuer,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["HS256"]
  }
  const path = `/realms/${realm.id}/.well-known/openid-configuration`
  expect((await realm.get(path)).body).toEqual(old)
  await oauthClient(realm)
  expect((await realm.get(path)).body).toMatchObject({ issuer, id_token_signing_alg_values_supported: ["RS256"] })
})

test("C168: metadata at each well-known URL describes the features of the OpenID Provider", async () => {
  const realm = await started({ jwt_algo: "rs256" })
  const nobody = new Api(realm.transport, undefined)
  const issuer = `https://id.example.test/realms/${realm.id}`
  const algorithms = ["ES256", "RS256", "PS256", "EdDSA"]
  const methods = ["client_secret_basic", "client_secret_post", "private_key_jwt"]
  for (const path of [
    `/realms/${realm.id}/.well-known/openid-configuration`,
    `/.well-known/oauth-authorization-server/realms/${realm.id}`,
    `/.well-known/openid-configuration/realms/${realm.id}`
  ]) {
    const reply = await nobody.get(path)
    expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([200, "*"])
    expect(reply.headers.get("cache-control")).toBe("public, max-age=60")
    expect(reply.body).toMatchObject({
      issuer,
      jwks_uri: `${issuer}/jwks`,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      introspection_endpoint: `${issuer}/introspect`,
      revocation_endpoint: `${issuer}/revoke`,
      end_session_endpoint: `${issuer}/end_session`,
      device_authorization_endpoint: `${issuer}/device_authorization`,
      pushed_authorization_request_endpoint: `${issuer}/par`,
      response_types_supported: ["code"],
      response_modes_supported: ["query", "form_post"],
      grant_types_supported: [
        "authorization_code",
        "refresh_token",
        "client_credentials",
        "urn:ietf:params:oauth:grant-type:device_code"
      ],
      code_challenge_methods_supported: ["S256"],
      id_token_signing_alg_values_supported: ["RS256"],
      token_endpoint_auth_methods_supported: [...methods, "none"],
      introspection_endpoint_auth_methods_supported: methods,
      dpop_signing_alg_values_supported: algorithms,
      acr_values_supported: ["aal1", "aal2"],
      claims_parameter_supported: true,
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_supported: true,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      require_request_uri_registration: false
    })
    expect(reply.member("registration_endpoint")).toBeUndefined()
    expect(reply.member("scopes_supported")).toEqual(["openid", "profile", "email", "offline_access", "orgs"])
  }
  const missing = realm.id.replace(/.{4}$/, "zzzz")
  expect((await nobody.get(`/.well-known/oauth-authorization-server/realms/${missing}`)).status).toBe(404)
})

test("metadata includes the realm's own scopes and the registration endpoint", async () => {
  const realm = await started({ jwt_algo: "rs256", oauth_scopes: ["orders:read"], client_registration: "open" })
  const reply = await realm.get(`/realms/${realm.id}/.well-known/openid-configuration`)
  expect(reply.member("scopes_supported", 5)).toBe("orders:read")
  expect(reply.member("registration_endpoint")).toBe(`https://id.example.test/realms/${realm.id}/register`)
})
