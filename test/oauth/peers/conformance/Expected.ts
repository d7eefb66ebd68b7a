import type { Facts } from "./Facts.ts"

/** The results expected of both providers or, if they differ, of each provider, with the reason. */
interface Expected {
  readonly both?: Facts
  readonly ours?: Facts
  readonly theirs?: Facts
  readonly why?: string
}

const both = (facts: Facts): Expected => ({ both: facts })

/** A difference between the results of our provider and theirs, with the reason. */
const differ = (ours: Facts, theirs: Facts, why: string): Expected => ({ ours, theirs, why })

const OK = { status: 200 }
const CODE = { to: "client", code: true, logins: 1 }
const SILENT = { to: "client", code: true, logins: 0 }
const INVALID_GRANT = { status: 400, error: "invalid_grant" }
const PAGE = { to: "page", status: 400 }

/** An error returned to the client with `state` and `iss`, without a login. */
const refused = (error: string): Facts => ({
  to: "client",
  got: ["error", "iss", "state"],
  error,
  state: "a-state",
  logins: 0
})

const told = (...names: ReadonlyArray<string>): Expected => both({ ...CODE, ...OK, told: names })

/** Expected results for the authorization request, the token endpoint and user info. */
export const expectedOfFlows: Readonly<Record<string, Expected>> = {
  "oidcc-server": both({
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
  "oidcc-response-type-missing": both(refused("invalid_request")),
  "oidcc-idtoken-signature": both({ alg: "RS256", kid: "string" }),
  "oidcc-idtoken-unsigned": both({ none: false }),
  "oidcc-userinfo-get": both({ ...OK, same: true }),
  "oidcc-userinfo-post-header": both({ ...OK, same: true }),
  "oidcc-userinfo-post-body": both({ ...OK, same: true }),
  "oidcc-ensure-request-without-nonce-succeeds-for-code-flow": both({ ...CODE, nonce: null }),
  "oidcc-scope-profile": told("family_name", "given_name", "name", "sub"),
  "oidcc-scope-email": told("email", "email_verified", "sub"),
  "oidcc-scope-address": told("sub"),
  "oidcc-scope-phone": told("sub"),
  "oidcc-scope-all": told("email", "email_verified", "family_name", "given_name", "name", "sub"),
  "oidcc-ensure-other-scope-order-succeeds": told("email", "email_verified", "sub"),
  "oidcc-display-page": both({ ...CODE, ...OK }),
  "oidcc-display-popup": both({ ...CODE, ...OK }),
  "oidcc-prompt-login": both({ ...CODE, sameUser: true, later: 2 }),
  "oidcc-prompt-none-not-logged-in": both(refused("login_required")),
  "oidcc-prompt-none-logged-in": both({ ...SILENT, sameUser: true, later: 0 }),
  "oidcc-max-age-1": both({ ...CODE, sameUser: true, later: 2 }),
  "oidcc-max-age-10000": both({ ...SILENT, sameUser: true, later: 0 }),
  "oidcc-ensure-request-with-unknown-parameter-succeeds": both({ ...CODE, ...OK }),
  "oidcc-id-token-hint": both(SILENT),
  "oidcc-login-hint": both({ ...CODE, ...OK }),
  "oidcc-ui-locales": both({ ...CODE, ...OK }),
  "oidcc-claims-locales": both({ ...CODE, ...OK }),
  "oidcc-ensure-request-with-acr-values-succeeds": both({ ...CODE, ...OK }),
  "oidcc-codereuse": both({ first: OK, second: INVALID_GRANT, userinfo: 401 }),
  "oidcc-codereuse-30seconds": both({ first: OK, second: INVALID_GRANT, userinfo: 401 }),
  "oidcc-ensure-registered-redirect-uri": both(PAGE),
  "oidcc-ensure-post-request-succeeds": both({ ...CODE, ...OK }),
  "oidcc-server-client-secret-post": both({ ...CODE, ...OK }),
  "oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported": both(
    refused("request_uri_not_supported")
  ),
  "oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported": both(
    refused("request_not_supported")
  ),
  "oidcc-claims-essential": both({ ...OK, name: "string" }),
  "oidcc-ensure-request-object-with-redirect-uri": both(PAGE),
  "oidcc-refresh-token": both({
    foreign: INVALID_GRANT,
    own: OK,
    newAccess: true,
    rotated: true,
    same: ["iss", "sub", "aud", "auth_time"]
  }),
  "oidcc-ensure-request-with-valid-pkce-succeeds": both({ right: OK, wrong: INVALID_GRANT })
}

/** Expected results for requests outside the plans. */
export const expectedOfOthers: Readonly<Record<string, Expected>> = {
  "an unknown grant type": both({ status: 400, error: "unsupported_grant_type" }),
  "a wrong client secret": both({ status: 401, error: "invalid_client", challenge: "Basic" }),
  "no client": differ(
    { status: 401, error: "invalid_client" },
    { status: 400, error: "invalid_request" },
    "RFC 6749 §5.2 defines invalid_client for “no client authentication included”."
  ),
  "another client's code": both(INVALID_GRANT),
  "a different redirect URI than in the request": both(INVALID_GRANT),
  "user info with a wrong token": both({ status: 401, challenge: "Bearer" }),
  "introspection of an unknown token": both({ status: 200, body: { active: false } }),
  "revocation of an unknown token": both(OK),
  "an unsupported response type": differ(
    { ...refused("unsupported_response_type"), by: "query" },
    { ...refused("invalid_request"), by: "fragment" },
    "Theirs supports id_token and applies the rules for implicit clients. Ours has only the code flow (RFC 9700 §2.1.2)."
  ),
  "an unsupported response mode": differ(
    { ...refused("invalid_request"), by: "query" },
    { ...refused("unsupported_response_mode"), by: "query" },
    "No standard defines unsupported_response_mode. RFC 6749 §4.1.2.1 has invalid_request for an invalid value."
  ),
  "an unknown prompt": both(refused("invalid_request")),
  "prompt=none with another prompt": both(refused("invalid_request")),
  "a max_age that is not a number": both(refused("invalid_request")),
  "an unknown client": both(PAGE),
  "no redirect URI": differ(
    PAGE,
    { ...CODE },
    "OpenID Connect Core §3.1.2.1 requires the parameter. Theirs defaults to the only registered one."
  ),
  "a code challenge with method plain": both(refused("invalid_request"))
}

const BYE = "https://app.example.test/bye"
const LEFT = { to: "page", status: 200, loggedOut: true }
const STAYED = { to: "page", status: 400, loggedOut: false }

/** Expected results for logouts. */
export const expectedOfLogouts: Readonly<Record<string, Expected>> = {
  "oidcc-rp-initiated-logout-discovery-endpoint-verification": both({ end_session_endpoint: "string" }),
  "oidcc-rp-initiated-logout": both({ to: BYE, state: "bye", loggedOut: true }),
  "oidcc-rp-initiated-logout-bad-post-logout-redirect-uri": both(STAYED),
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
  "oidcc-rp-initiated-logout-no-params": both(LEFT),
  "oidcc-rp-initiated-logout-no-post-logout-redirect-uri": both(LEFT),
  "oidcc-rp-initiated-logout-no-state": both({ to: BYE, state: null, loggedOut: true }),
  "oidcc-rp-initiated-logout-only-state": both(LEFT),
  "oidcc-backchannel-logout-discovery-endpoint-verification": both({
    end_session_endpoint: "string",
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true
  }),
  "oidcc-backchannel-rp-initiated-logout": both({
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
