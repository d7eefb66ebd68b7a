import { Data } from "effect"

/** The content of an OAuth error response: a standard error code and an ASCII sentence for developers (RFC 6749 §5.2). */
interface OAuthErrorText {
  readonly error: string
  readonly description: string
  /** Builds the sentence for a known scope or resource. */
  readonly describe?: (value: string) => string
}

const errorText = (error: string, description: string): OAuthErrorText => ({ error, description })

/** An error about one of several values. If the value is known, the description includes it. */
const errorTextNaming = (error: string, description: string, describe: (value: string) => string): OAuthErrorText => ({
  error,
  description,
  describe
})

/** The reasons for rejecting OAuth requests, with the error response for each. */
export const oauthProblems = {
  repeated_parameter: errorText("invalid_request", "A parameter was sent more than once."),
  unreadable_body: errorText("invalid_request", "The body must be application/x-www-form-urlencoded."),
  body_too_large: errorText("invalid_request", "The body is larger than 256 KiB."),
  body_not_utf8: errorText("invalid_request", "The body must be valid UTF-8."),
  client_missing: errorText("invalid_client", "The request does not identify a client."),
  client_unknown: errorText("invalid_client", "Client authentication failed."),
  client_not_found: errorText("invalid_client", "There is no active client with this client_id."),
  client_methods_mixed: errorText("invalid_request", "The client authenticates in more than one way."),
  document_unreachable: errorText("invalid_client", "The client's metadata document can't be fetched."),
  document_malformed: errorText("invalid_client", "The client's metadata document is not JSON of at most 5 KB."),
  document_mismatch: errorText("invalid_client", "The client_id in the client's metadata document is not its URL."),
  document_refused: errorText(
    "invalid_client",
    "The client's metadata document requests something that is not allowed here."
  ),
  clients_full: errorText(
    "temporarily_unavailable",
    "Too many clients have registered in this realm. Try again later."
  ),
  registration_off: errorText("access_denied", "Clients can't register themselves in this realm."),
  initial_token_missing: errorText("invalid_token", "Registration requires an initial access token."),
  registration_token_invalid: errorText("invalid_token", "The registration access token is not valid for this client."),
  client_inactive: errorText("invalid_client", "The client is inactive."),
  grant_type_missing: errorText("invalid_request", "The request has no grant_type."),
  grant_type_unknown: errorText("unsupported_grant_type", "There is no such grant_type."),
  grant_type_not_allowed: errorText("unauthorized_client", "The client may not use this grant_type."),
  code_missing: errorText("invalid_request", "The request has no code."),
  code_unknown: errorText("invalid_grant", "There is no such authorization code."),
  code_of_another: errorText("invalid_grant", "There is no such authorization code."),
  code_expired: errorText("invalid_grant", "The authorization code has expired."),
  code_reused: errorText("invalid_grant", "The authorization code was used before."),
  redirect_uri_mismatch: errorText("invalid_grant", "The redirect_uri is not that of the authorization request."),
  verifier_missing: errorText("invalid_grant", "The request has no code_verifier."),
  verifier_unexpected: errorText("invalid_grant", "The authorization request had no code_challenge."),
  verifier_malformed: errorText("invalid_grant", "The code_verifier must have 43 to 128 unreserved characters."),
  verifier_mismatch: errorText("invalid_grant", "The code_verifier does not match the code_challenge."),
  refresh_token_missing: errorText("invalid_request", "The request has no refresh_token."),
  refresh_token_unknown: errorText("invalid_grant", "There is no such refresh token."),
  refresh_token_expired: errorText("invalid_grant", "The refresh token has expired."),
  refresh_token_reused: errorText("invalid_grant", "The refresh token was used before."),
  grant_of_another: errorText("invalid_grant", "There is no such refresh token."),
  grant_ended: errorText("invalid_grant", "The user's grant was revoked or has expired."),
  scope_not_granted: errorTextNaming(
    "invalid_scope",
    "The request asks for a scope that was not granted.",
    (scope) => `The scope ${scope} was not granted.`
  ),
  scope_not_allowed: errorTextNaming(
    "invalid_scope",
    "One of the scopes is not among the allowed_scopes of the client.",
    (scope) => `The scope ${scope} is not among the allowed_scopes of the client.`
  ),
  resource_not_allowed: errorTextNaming(
    "invalid_target",
    "One of the resources is not among the client's resources.",
    (resource) => `The client can't get tokens for the resource ${resource} with this grant.`
  ),
  proof_missing: errorText("invalid_dpop_proof", "The request has no DPoP proof."),
  proof_invalid: errorText("invalid_dpop_proof", "The DPoP proof is not valid for this request."),
  proof_replayed: errorText("invalid_dpop_proof", "The DPoP proof was used before."),
  proof_key_mismatch: errorText("invalid_grant", "The DPoP proof was made with a different key."),
  token_missing: errorText("invalid_request", "The request has no token."),
  token_invalid: errorText("invalid_token", "The access token is not valid."),
  token_twice: errorText("invalid_request", "The request presents an access token in more than one way."),
  token_unbound: errorText("invalid_token", "The access token is not bound to a DPoP key."),
  token_bound: errorText("invalid_token", "The access token is bound to a DPoP key."),
  token_of_another: errorText("invalid_grant", "The token was issued to another client."),
  scope_insufficient: errorText("insufficient_scope", "The access token does not have the scope openid."),
  realm_inactive: errorText("access_denied", "Logins are turned off in this realm."),
  redirect_uri_missing: errorText("invalid_request", "redirect_uri is required."),
  redirect_uri_unregistered: errorText("invalid_request", "redirect_uri is not registered for the client."),
  no_login_app: errorText("invalid_request", "There are no login pages for this client."),
  request_expired: errorText("invalid_request", "The request has expired or was already used."),
  unreadable_parameter: errorText(
    "invalid_request",
    "A parameter is too long or contains characters that are not allowed."
  ),
  request_object: errorText("request_not_supported", "Request objects are not supported."),
  request_uri: errorText("request_uri_not_supported", "request_uri is only supported for pushed requests."),
  request_uri_unknown: errorText("invalid_request_uri", "request_uri is unknown, has expired or was already used."),
  registration_parameter: errorText("registration_not_supported", "The registration parameter is not supported."),
  par_required: errorText("invalid_request", "The client must push its authorization requests."),
  response_type_missing: errorText("invalid_request", "response_type is required."),
  response_type_unknown: errorText("unsupported_response_type", "The only response_type is code."),
  response_mode_unknown: errorText("invalid_request", "response_mode must be query or form_post."),
  scope_malformed: errorText("invalid_scope", "scope is malformed."),
  scope_none: errorText("invalid_scope", "None of the requested scopes is allowed for the client."),
  pkce_missing: errorText("invalid_request", "PKCE is required: code_challenge with code_challenge_method S256."),
  pkce_malformed: errorText("invalid_request", "code_challenge must be a base64url-encoded SHA-256 digest."),
  pkce_plain: errorText("invalid_request", "code_challenge_method must be S256."),
  prompt_unknown: errorText("invalid_request", "prompt has a value that is not supported."),
  prompt_contradictory: errorText("invalid_request", "prompt=none can't be combined with other values."),
  max_age_malformed: errorText("invalid_request", "max_age must be a number of seconds."),
  claims_malformed: errorText("invalid_request", "claims must be a JSON object."),
  acr_unknown: errorText("unmet_authentication_requirements", "No login method here satisfies the required acr."),
  org_malformed: errorText("invalid_request", "org_id is not the ID of an organization."),
  dpop_jkt_malformed: errorText("invalid_request", "dpop_jkt must be a base64url-encoded SHA-256 thumbprint."),
  dpop_jkt_mismatch: errorText("invalid_dpop_proof", "dpop_jkt is not the thumbprint of the key of the DPoP proof."),
  login_required: errorText("login_required", "The user must log in."),
  other_user: errorText("login_required", "A different user than the expected one is logged in."),
  interaction_required: errorText("interaction_required", "The user must present a second factor."),
  account_selection_required: errorText("account_selection_required", "The user must choose an account."),
  consent_required: errorText("consent_required", "The user must consent."),
  not_a_member: errorText("access_denied", "The user is not a member of the requested organization."),
  logout_uri_unregistered: errorText("invalid_request", "post_logout_redirect_uri is not registered for the client."),
  access_denied: errorText("access_denied", "The user refused the request."),
  device_code_missing: errorText("invalid_request", "The request has no device_code."),
  device_code_unknown: errorText("invalid_grant", "There is no such device code."),
  device_code_expired: errorText("expired_token", "The device code has expired."),
  device_code_used: errorText("invalid_grant", "The device code was used before."),
  authorization_pending: errorText("authorization_pending", "The user has not decided yet."),
  slow_down: errorText("slow_down", "The device polls too often: it must wait 5 seconds longer between requests.")
} as const satisfies Readonly<Record<string, OAuthErrorText>>

export type OAuthReason = keyof typeof oauthProblems

/** An OAuth request was rejected. `value` is the rejected scope or resource, if the error is about one. */
export class OAuthRefused extends Data.TaggedError("OAuthRefused")<{
  readonly reason: OAuthReason
  readonly value?: string | undefined
}> {}

/** Creates the failure for a reason. */
export const oauthRefused = (reason: OAuthReason, value?: string): OAuthRefused => new OAuthRefused({ reason, value })

/** Matches values that an error description may repeat. They have up to 200 of the characters that RFC 6749 §5.2 allows. */
const REPEATABLE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/

/** The error response for a rejected request. */
export const oauthErrorOf = ({ reason, value }: OAuthRefused): OAuthErrorText => {
  const text: OAuthErrorText = oauthProblems[reason]
  const isNamed = text.describe !== undefined && value !== undefined && REPEATABLE.test(value)
  return isNamed ? { ...text, description: text.describe(value) } : text
}
