import { assuranceLevels } from "../Authentication.ts"
import { grantTypes, tokenEndpointAuthMethods } from "../clients/OAuthClient.ts"
import { standardScopes } from "../clients/OAuthScope.ts"
import { locales } from "../Locale.ts"
import type { RealmSettings } from "../Realm.ts"
import { prompts } from "./AuthorizationRequest.ts"
import { responseModes } from "./AuthorizationResponse.ts"
import { userClaims } from "./OAuthClaims.ts"
import type { OAuthEndpointName } from "./OAuthPaths.ts"
import { proofAlgorithms } from "./ProofAlgorithm.ts"

/** The data on which a realm's metadata depends. */
export interface ProviderSettings {
  readonly issuer: string
  readonly jwksUri: string
  /** Returns the URL of an endpoint. */
  readonly endpoint: (name: OAuthEndpointName) => string
  /** The realm's own scopes. */
  readonly scopes: ReadonlyArray<string>
  readonly registration: RealmSettings["clientRegistration"]
}

/** The authentication methods of confidential clients. */
const confidentialMethods = tokenEndpointAuthMethods.filter((method) => method !== "none")

const endpoints = ({ endpoint }: ProviderSettings) => ({
  authorization_endpoint: endpoint("authorize"),
  token_endpoint: endpoint("token"),
  userinfo_endpoint: endpoint("userinfo"),
  introspection_endpoint: endpoint("introspect"),
  revocation_endpoint: endpoint("revoke"),
  end_session_endpoint: endpoint("endSession"),
  device_authorization_endpoint: endpoint("device"),
  pushed_authorization_request_endpoint: endpoint("par")
})

/** The metadata about client registration, if the realm allows it (RFC 7591, draft-ietf-oauth-client-id-metadata-document). */
const registrationMembers = ({ endpoint, registration }: ProviderSettings) =>
  registration === "off"
    ? {}
    : {
        registration_endpoint: endpoint("register"),
        client_id_metadata_document_supported: registration === "open"
      }

const clientAuthentication = {
  token_endpoint_auth_methods_supported: tokenEndpointAuthMethods,
  token_endpoint_auth_signing_alg_values_supported: proofAlgorithms,
  revocation_endpoint_auth_methods_supported: tokenEndpointAuthMethods,
  revocation_endpoint_auth_signing_alg_values_supported: proofAlgorithms,
  introspection_endpoint_auth_methods_supported: confidentialMethods,
  introspection_endpoint_auth_signing_alg_values_supported: proofAlgorithms
}

/** Unsupported features. They are listed because some count as supported by default (OpenID Connect Discovery §3). */
const unsupportedFeatures = {
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  require_request_uri_registration: false,
  frontchannel_logout_supported: false,
  frontchannel_logout_session_supported: false,
  tls_client_certificate_bound_access_tokens: false
}

/** The claims in ID tokens, in addition to those about the user. */
const tokenClaims = ["iss", "sub", "aud", "azp", "exp", "iat", "auth_time", "nonce", "at_hash", "acr", "amr", "sid"]

/**
 * A realm's metadata for OAuth clients, according to OpenID Connect Discovery §3, RFC 8414 and related standards. It lists
 * only what is supported.
 */
export const providerMetadata = (settings: ProviderSettings) => ({
  issuer: settings.issuer,
  jwks_uri: settings.jwksUri,
  ...endpoints(settings),
  ...registrationMembers(settings),
  scopes_supported: [...standardScopes, ...settings.scopes],
  response_types_supported: ["code"],
  response_modes_supported: responseModes,
  grant_types_supported: grantTypes,
  code_challenge_methods_supported: ["S256"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
  ...clientAuthentication,
  dpop_signing_alg_values_supported: proofAlgorithms,
  acr_values_supported: assuranceLevels,
  prompt_values_supported: prompts,
  display_values_supported: ["page"],
  claim_types_supported: ["normal"],
  claims_supported: [...tokenClaims, ...userClaims],
  claims_parameter_supported: true,
  ui_locales_supported: locales,
  authorization_response_iss_parameter_supported: true,
  require_pushed_authorization_requests: false,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  ...unsupportedFeatures
})

/**
 * The metadata of a realm that has no key for ID tokens. Such a realm cannot have OAuth clients, so the metadata only names
 * the issuer of its login tokens (C30).
 */
export const tokenIssuerMetadata = ({
  issuer,
  jwksUri,
  algorithm
}: Pick<ProviderSettings, "issuer" | "jwksUri"> & { readonly algorithm: string }) => ({
  issuer,
  jwks_uri: jwksUri,
  response_types_supported: ["id_token"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: [algorithm]
})
