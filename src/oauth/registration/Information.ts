import { HttpServerResponse } from "effect/http"
import type { Issuer } from "#core/keys/Issuer"
import type { RegisteredClient } from "#core/oauth/ClientRegistrations"
import { hasSecret } from "#domain/clients/OAuthClient"
import { anyOrigin } from "../Cors.ts"
import { noStore } from "../Errors.ts"

const given = <A>(name: string, value: A | null, isOne = value !== null) => (isOne ? { [name]: value } : {})

/** Returns a client's registered metadata, with the token and URL for managing it (RFC 7591 §3.2.1, RFC 7592 §3). */
export const informationResponse = (
  { client, clientSecret, accessToken }: RegisteredClient,
  issuer: Issuer["Service"],
  status: 200 | 201
): HttpServerResponse.HttpServerResponse => {
  const { grantTypes, redirectUris, postLogoutRedirectUris, backchannelLogoutUri } = client
  const hasCode = grantTypes.includes("authorization_code")
  return HttpServerResponse.jsonUnsafe(
    {
      client_id: client.id,
      client_id_issued_at: Math.floor(client.createdAt.epochMilliseconds / 1_000),
      ...given("client_secret", clientSecret),
      ...(hasSecret(client) ? { client_secret_expires_at: 0 } : {}),
      registration_access_token: accessToken,
      registration_client_uri: `${issuer.endpoint("register", client.realmId)}/${client.id}`,
      client_name: client.name,
      application_type: client.clientType === "native" ? "native" : "web",
      redirect_uris: redirectUris,
      response_types: hasCode ? ["code"] : [],
      grant_types: grantTypes,
      token_endpoint_auth_method: client.tokenEndpointAuthMethod,
      scope: client.allowedScopes.join(" "),
      ...(client.jwks === null ? {} : { jwks: JSON.parse(client.jwks) }),
      ...given("jwks_uri", client.jwksUri),
      ...given("post_logout_redirect_uris", postLogoutRedirectUris, postLogoutRedirectUris.length > 0),
      ...given("backchannel_logout_uri", backchannelLogoutUri),
      ...given("client_uri", client.clientUri),
      ...given("initiate_login_uri", client.initiateLoginUri),
      subject_type: "public",
      id_token_signed_response_alg: "RS256",
      dpop_bound_access_tokens: client.requireDpop,
      require_pushed_authorization_requests: client.requirePar
    },
    { status, headers: { ...noStore, ...anyOrigin, pragma: "no-cache" } }
  )
}
