import type { Facts } from "./Facts.ts"

/** The results expected of both providers or, if they differ, of each provider, with the reason. */
interface Expected {
  readonly both?: Facts
  readonly ours?: Facts
  readonly theirs?: Facts
  readonly why?: string
}

const bothReturn = (facts: Facts): Expected => ({ both: facts })

/** A difference between the results of our provider and theirs, with the reason. */
const differ = (ours: Facts, theirs: Facts, why: string): Expected => ({ ours, theirs, why })

const OK = { status: 200 }
const CODE = { to: "client", code: true, logins: 1 }
const SILENT = { to: "client", code: true, logins: 0 }
const INVALID_GRANT = { status: 400, error: "invalid_grant" }
const PAGE = { to: "page", status: 400 }

/** An error returned to the client with `state` and `iss`, without a login. */
const clientError = (error: string): Facts => ({
  to: "client",
  got: ["error", "iss", "state"],
  error,
  state: "a-state",
  logins: 0
})

const returnedClaims = (...names: ReadonlyArray<string>): Expected => bothReturn({ ...CODE, ...OK, told: names })

/** Expected results for the authorization request, the token endpoint and user info. */
export const expectedOfFlows: Readonly<Record<string, Expected>> = {
  "oidcc-server": bothReturn({
    to: "client",
    got: ["code", "iss", "state"],
    state: "a-state",
    logins: 1,
    status: 200,
    type: "bearer",
    cache: "no-store",
    needed: ["aud", "exp", "iat", "iss", "nonce", "sub"],
    nonce: "a-nonce",
    audience: true
  }),
  "oidcc-response-type-missing": bothReturn(clientError("invalid_request")),
  "oidcc-idtoken-signature": bothReturn({ alg: "RS256", kid: "string" }),
  "oidcc-idtoken-unsigned": bothReturn({ none: false }),
  "oidcc-userinfo-get": bothReturn({ ...OK, same: true }),
  "oidcc-userinfo-post-header": bothReturn({ ...OK, same: true }),
  "oidcc-userinfo-post-body": bothReturn({ ...OK, same: true }),
  "oidcc-ensure-request-without-nonce-succeeds-for-code-flow": bothReturn({ ...CODE, nonce: null }),
  "oidcc-scope-profile": returnedClaims("family_name", "given_name", "name", "sub"),
  "oidcc-scope-email": returnedClaims("email", "email_verified", "sub"),
  "oidcc-scope-address": returnedClaims("sub"),
  "oidcc-scope-phone": returnedClaims("sub"),
  "oidcc-scope-all": returnedClaims("email", "email_verified", "family_name", "given_name", "name", "sub"),
  "oidcc-ensure-other-scope-order-succeeds": returnedClaims("email", "email_verified", "sub"),
  "oidcc-display-page": bothReturn({ ...CODE, ...OK }),
  "oidcc-display-popup": bothReturn({ ...CODE, ...OK }),
  "oidcc-prompt-login": bothReturn({ ...CODE, sameUser: true, later: 2 }),
  "oidcc-prompt-none-not-logged-in": bothReturn(clientError("login_required")),
  "oidcc-prompt-none-logged-in": bothReturn({ ...SILENT, sameUser: true, later: 0 }),
  "oidcc-max-age-1": bothReturn({ ...CODE, sameUser: true, later: 2 }),
  "oidcc-max-age-10000": bothReturn({ ...SILENT, sameUser: true, later: 0 }),
  "oidcc-ensure-request-with-unknown-parameter-succeeds": bothReturn({ ...CODE, ...OK }),
  "oidcc-id-token-hint": bothReturn(SILENT),
  "oidcc-login-hint": bothReturn({ ...CODE, ...OK }),
  "oidcc-ui-locales": bothReturn({ ...CODE, ...OK }),
  "oidcc-claims-locales": bothReturn({ ...CODE, ...OK }),
  "oidcc-ensure-request-with-acr-values-succeeds": bothReturn({ ...CODE, ...OK }),
  "oidcc-codereuse": bothReturn({ first: OK, second: INVALID_GRANT, userinfo: 401 }),
  "oidcc-codereuse-30seconds": bothReturn({ first: OK, second: INVALID_GRANT, userinfo: 401 }),
  "oidcc-ensure-registered-redirect-uri": bothReturn(PAGE),
  "oidcc-ensure-post-request-succeeds": bothReturn({ ...CODE, ...OK }),
  "oidcc-server-client-secret-post": bothReturn({ ...CODE, ...OK }),
  "oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported": bothReturn(
    clientError("request_uri_not_supported")
  ),
  "oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported": bothReturn(
    clientError("request_not_supported")
  ),
  "oidcc-claims-essential": bothReturn({ ...OK, name: "string" }),
  "oidcc-ensure-request-object-with-redirect-uri": bothReturn(PAGE),
  "oidcc-refresh-token": bothReturn({
    foreign: INVALID_GRANT,
    own: OK,
    newAccess: true,
    rotated: true,
    same: ["iss", "sub", "aud", "auth_time"]
  }),
  "oidcc-ensure-request-with-valid-pkce-succeeds": bothReturn({ right: OK, wrong: INVALID_GRANT })
}

/** Expected results for requests outside the plans. */
export const expectedOfOthers: Readonly<Record<string, Expected>> = {
  "an unknown grant type": bothReturn({ status: 400, error: "unsupported_grant_type" }),
  "a wrong client secret": bothReturn({ status: 401, error: "invalid_client", challenge: "Basic" }),
  "no client": differ(
    { status: 401, error: "invalid_client" },
    { status: 400, error: "invalid_request" },
    "RFC 6749 §5.2 defines invalid_client for “no client authentication included”."
  ),
  "another client's code": bothReturn(INVALID_GRANT),
  "a different redirect URI than in the request": bothReturn(INVALID_GRANT),
  "user info with a wrong token": bothReturn({ status: 401, challenge: "Bearer" }),
  "introspection of an unknown token": bothReturn({ status: 200, body: { active: false } }),
  "revocation of an unknown token": bothReturn(OK),
  "an unsupported response type": differ(
    { ...clientError("unsupported_response_type"), by: "query" },
    { ...clientError("invalid_request"), by: "fragment" },
    "Theirs supports id_token and applies the rules for implicit clients. Ours has only the code flow (RFC 9700 §2.1.2)."
  ),
  "an unsupported response mode": differ(
    { ...clientError("invalid_request"), by: "query" },
    { ...clientError("unsupported_response_mode"), by: "query" },
    "No standard defines unsupported_response_mode. RFC 6749 §4.1.2.1 has invalid_request for an invalid value."
  ),
  "an unknown prompt": bothReturn(clientError("invalid_request")),
  "prompt=none with another prompt": bothReturn(clientError("invalid_request")),
  "a max_age that is not a number": bothReturn(clientError("invalid_request")),
  "an unknown client": bothReturn(PAGE),
  "no redirect URI": differ(
    PAGE,
    { ...CODE },
    "OpenID Connect Core §3.1.2.1 requires the parameter. Theirs defaults to the only registered one."
  ),
  "a code challenge with method plain": bothReturn(clientError("invalid_request"))
}

const BYE = "https://app.example.test/bye"
const LEFT = { to: "page", status: 200, loggedOut: true }
const STAYED = { to: "page", status: 400, loggedOut: false }

/** Expected results for logouts. */
export const expectedOfLogouts: Readonly<Record<string, Expected>> = {
  "oidcc-rp-initiated-logout-discovery-endpoint-verification": bothReturn({ end_session_endpoint: "string" }),
  "oidcc-rp-initiated-logout": bothReturn({ to: BYE, state: "bye", loggedOut: true }),
  "oidcc-rp-initiated-logout-bad-post-logout-redirect-uri": bothReturn(STAYED),
  "oidcc-rp-initiated-logout-modified-id-token-hint": differ(
    LEFT,
    STAYED,
    "Ours ignores an invalid token (C275): it asks the user and doesn't redirect. The suite accepts both."
  ),
  "oidcc-rp-initiated-logout-no-id-token-hint": differ(
    STAYED,
    LEFT,
    "The client of the URI is unknown: ours rejects it, theirs asks the user and ignores it. The suite accepts both."
  ),
  "oidcc-rp-initiated-logout-no-params": bothReturn(LEFT),
  "oidcc-rp-initiated-logout-no-post-logout-redirect-uri": bothReturn(LEFT),
  "oidcc-rp-initiated-logout-no-state": bothReturn({ to: BYE, state: null, loggedOut: true }),
  "oidcc-rp-initiated-logout-only-state": bothReturn(LEFT),
  "oidcc-backchannel-logout-discovery-endpoint-verification": bothReturn({
    end_session_endpoint: "string",
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true
  }),
  "oidcc-backchannel-rp-initiated-logout": bothReturn({
    count: 1,
    claims: ["aud", "events", "iat", "iss", "jti", "sid", "sub"],
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    sameUser: true,
    sameSession: true,
    audience: true
  })
}

const PUBLISHED = {
  authorization_endpoint: "string",
  token_endpoint: "string",
  userinfo_endpoint: "string",
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
  claims_parameter_supported: true,
  request_uri_parameter_supported: false,
  authorization_response_iss_parameter_supported: true,
  code_challenge_methods_supported: ["S256"],
  issuer: true,
  openid: true
}

/** Expected results for the published metadata. */
export const expectedOfMetadata: Readonly<Record<string, Expected>> = {
  "oidcc-discovery-endpoint-verification": differ(
    { ...PUBLISHED, response_types_supported: ["code"], request_parameter_supported: false },
    { ...PUBLISHED, response_types_supported: ["code id_token", "code", "id_token", "none"] },
    "Ours has only the code flow (RFC 9700 §2.1.2), and states unsupported features although false is the default."
  )
}
