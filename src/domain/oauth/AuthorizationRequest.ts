import { Data, type DateTime } from "effect"
import { type Authentication } from "../Authentication.ts"
import { isConfidential, type OAuthClient } from "../clients/OAuthClient.ts"
import { parseScopes, requestedScopes } from "../clients/OAuthScope.ts"
import { isId, type OrgId } from "../Ids.ts"
import { MAX_JWT_LENGTH } from "../LoginToken.ts"
import { isStorable } from "../Text.ts"
import { type AcrRequest, acrRequestOf } from "./AcrRequest.ts"
import {
  type AuthorizationParam,
  authorizationParams,
  type ParamReader,
  paramReader,
  type SentParams
} from "./AuthorizationParams.ts"
import { type ResponseMode, type ResponseTarget, responseModes } from "./AuthorizationResponse.ts"
import { parseClaimsRequest } from "./ClaimsRequest.ts"
import type { OAuthReason } from "./OAuthProblem.ts"
import { isRedirectUri } from "./RedirectUri.ts"
import { requestedClaim } from "./RequestedClaim.ts"

/**
 * The pages that a client can request or suppress with `prompt` (OpenID Connect Core §3.1.2.1, Initiating User Registration
 * 1.0).
 */
export const prompts = ["none", "login", "consent", "select_account", "create"] as const

export type Prompt = (typeof prompts)[number]

/** A client's valid authorization request. */
export interface AuthorizationRequest extends ResponseTarget {
  readonly client: OAuthClient
  readonly scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
  readonly nonce: string | null
  /** The S256 challenge for PKCE, or null if none was sent. */
  readonly codeChallenge: string | null
  readonly prompts: ReadonlyArray<Prompt>
  /** The maximum age of the login when the request starts, in seconds. Null if any age is accepted. */
  readonly maxAge: number | null
  readonly acr: AcrRequest | null
  /** The email or username of the expected user. */
  readonly loginHint: string | null
  /** An ID token issued to the expected user. */
  readonly idTokenHint: string | null
  /** The id of the only user that the client accepts, or null (OpenID Connect Core §5.5.1). */
  readonly subject: string | null
  readonly uiLocales: string | null
  readonly claims: string | null
  readonly orgId: OrgId | null
  /** The thumbprint of the DPoP key that the code is bound to, or null. */
  readonly jkt: string | null
}

/** The client that sent a request, and the URL where users return to it. */
export interface WayBack {
  readonly client: OAuthClient
  readonly url: string | null
}

/**
 * An authorization request was rejected. `target` is where to send the error. If the redirect URI is not registered by the
 * client, it is null, and a page shows the error to the user.
 */
export class AuthorizationRefused extends Data.TaggedError("AuthorizationRefused")<{
  readonly reason: OAuthReason
  readonly target: ResponseTarget | null
  /** The way back to the client for a user whose request has ended. */
  readonly wayBack?: WayBack | undefined
}> {}

/**
 * The maximum length of a parameter's value, and of all values combined, in UTF-16 units. `id_token_hint` is exempt, since
 * ID tokens can be longer.
 */
const MAX_PARAM_LENGTH = 4_096
const MAX_PARAMS_LENGTH = 8_000

/** The input of the checks. `isPushed` is whether the client sent the request itself (RFC 9126). */
interface CheckInput extends ParamReader {
  readonly sent: SentParams
  readonly client: OAuthClient
  readonly isPushed: boolean
}

type Check = readonly [
  parameter: AuthorizationParam | "any",
  reason: OAuthReason,
  isWrong: (input: CheckInput) => boolean
]

const THUMBPRINT = /^[\w-]{43}$/
const AGE = /^\d{1,9}$/

const isPrompt = (text: string): text is Prompt => prompts.some((prompt) => prompt === text)

const isMode = (text: string): text is ResponseMode => responseModes.some((mode) => mode === text)

const wordsOf = (text: string | undefined): ReadonlyArray<string> =>
  (text ?? "").split(" ").filter((word) => word !== "")

/** Returns whether a parameter was sent with an invalid value. */
const isInvalid =
  (name: AuthorizationParam, isRight: (value: string, input: CheckInput) => boolean) =>
  (input: CheckInput): boolean => {
    const value = input.get(name)
    return value !== undefined && !isRight(value, input)
  }

const isSent =
  (name: AuthorizationParam) =>
  ({ all }: CheckInput): boolean =>
    all(name).length > 0

const isText = (value: string): boolean => value.length <= MAX_PARAM_LENGTH && isStorable(value)

const valuesOf = ({ sent: { id_token_hint: _, ...sent } }: CheckInput): ReadonlyArray<string> =>
  Object.values(sent).flat()

const scopesOf = ({ get, client }: CheckInput): ReadonlyArray<string> => requestedScopes(client, get("scope"))

/**
 * Errors that are shown on a page, because the redirect URI is not known to belong to the client. They are checked in this
 * order.
 */
const beforeRedirect: ReadonlyArray<Check> = [
  ["client_id", "repeated_parameter", ({ isRepeated }) => isRepeated("client_id")],
  ["redirect_uri", "repeated_parameter", ({ isRepeated }) => isRepeated("redirect_uri")],
  ["redirect_uri", "redirect_uri_missing", ({ get }) => get("redirect_uri") === undefined],
  [
    "redirect_uri",
    "redirect_uri_unregistered",
    isInvalid("redirect_uri", (uri, { client }) => isRedirectUri(client, uri))
  ]
]

/** Errors that are returned to the client. They are checked in this order. */
const afterRedirect: ReadonlyArray<Check> = [
  ["any", "repeated_parameter", ({ isRepeated }) => authorizationParams.some(isRepeated)],
  ["any", "unreadable_parameter", (input) => !valuesOf(input).every(isText)],
  ["any", "unreadable_parameter", (input) => valuesOf(input).join("").length > MAX_PARAMS_LENGTH],
  [
    "id_token_hint",
    "unreadable_parameter",
    isInvalid("id_token_hint", (text) => text.length <= MAX_JWT_LENGTH && isStorable(text))
  ],
  ["request", "request_object", isSent("request")],
  ["request_uri", "request_uri", isSent("request_uri")],
  ["registration", "registration_parameter", isSent("registration")],
  ["client_id", "par_required", ({ client, isPushed }) => client.requirePar && !isPushed],
  ["client_id", "grant_type_not_allowed", ({ client }) => !client.grantTypes.includes("authorization_code")],
  ["response_type", "response_type_missing", ({ get }) => get("response_type") === undefined],
  ["response_type", "response_type_unknown", isInvalid("response_type", (type) => type === "code")],
  ["response_mode", "response_mode_unknown", isInvalid("response_mode", isMode)],
  ["scope", "scope_malformed", isInvalid("scope", (text) => parseScopes(text) !== undefined)],
  ["scope", "scope_none", (input) => scopesOf(input).length === 0],
  ["code_challenge", "pkce_missing", ({ get, client }) => needsPkce(client) && get("code_challenge") === undefined],
  ["code_challenge", "pkce_malformed", isInvalid("code_challenge", (text) => THUMBPRINT.test(text))],
  [
    "code_challenge_method",
    "pkce_plain",
    ({ get }) => get("code_challenge") !== undefined && get("code_challenge_method") !== "S256"
  ],
  [
    "code_challenge_method",
    "pkce_missing",
    ({ get }) => get("code_challenge") === undefined && get("code_challenge_method") !== undefined
  ],
  ["prompt", "prompt_unknown", isInvalid("prompt", (text) => wordsOf(text).every(isPrompt))],
  [
    "prompt",
    "prompt_contradictory",
    isInvalid("prompt", (text) => !wordsOf(text).includes("none") || wordsOf(text).length === 1)
  ],
  ["max_age", "max_age_malformed", isInvalid("max_age", (text) => AGE.test(text))],
  ["claims", "claims_malformed", isInvalid("claims", (text) => parseClaimsRequest(text) !== undefined)],
  ["claims", "acr_unknown", ({ get }) => acrRequestOf(get("claims"), undefined) === "unknown"],
  ["org_id", "org_malformed", isInvalid("org_id", (text) => isId("org", text))],
  [
    "resource",
    "resource_not_allowed",
    ({ all, client }) => !all("resource").every((one) => client.resources.includes(one))
  ],
  ["dpop_jkt", "dpop_jkt_malformed", isInvalid("dpop_jkt", (text) => THUMBPRINT.test(text))]
]

/**
 * Returns whether a client must use PKCE. It is required by default, and always for clients without a secret
 * (RFC 9700 §2.1.1).
 */
const needsPkce = (client: OAuthClient): boolean => client.requirePkce || !isConfidential(client)

const reasonIn = (checks: ReadonlyArray<Check>, input: CheckInput): OAuthReason | undefined =>
  checks.find(([, , isWrong]) => isWrong(input))?.[1]

/** The only user that the client accepts, as requested by its `claims` parameter. */
const expectedSubject = (claims: string | undefined): string | null => {
  const [only] = requestedClaim(claims, "sub").values
  return typeof only === "string" ? only : null
}

/** Where to send errors to the client, as far as the request is readable. */
const targetOf = ({ get }: CheckInput): ResponseTarget => {
  const [mode, state] = [get("response_mode"), get("state")]
  return {
    redirectUri: get("redirect_uri") ?? "",
    responseMode: mode !== undefined && isMode(mode) ? mode : "query",
    state: state !== undefined && isText(state) ? state : null
  }
}

/** Returns whether an ID token hint is so long that it may be stored only if it really is an ID token of the realm (C255). */
export const isLongHint = ({ idTokenHint }: Pick<AuthorizationRequest, "idTokenHint">): boolean =>
  idTokenHint !== null && idTokenHint.length > MAX_PARAM_LENGTH

/** Validates a client's authorization request with both tables of checks, and parses it. */
export const checkAuthorization = (
  client: OAuthClient,
  sent: SentParams,
  isPushed = false
): AuthorizationRequest | AuthorizationRefused => {
  const input: CheckInput = { ...paramReader(sent), sent, client, isPushed }
  const { get, all } = input
  const early = reasonIn(beforeRedirect, input)
  if (early !== undefined) return new AuthorizationRefused({ reason: early, target: null })
  const target = targetOf(input)
  const late = reasonIn(afterRedirect, input)
  if (late !== undefined) return new AuthorizationRefused({ reason: late, target })
  const [maxAge, orgId, acr] = [get("max_age"), get("org_id"), acrRequestOf(get("claims"), get("acr_values"))]
  return {
    ...target,
    client,
    scopes: scopesOf(input),
    resources: [...new Set(all("resource"))],
    nonce: get("nonce") ?? null,
    codeChallenge: get("code_challenge") ?? null,
    prompts: wordsOf(get("prompt")).filter(isPrompt),
    maxAge: maxAge === undefined ? null : Number(maxAge),
    acr: acr === "unknown" ? null : acr,
    loginHint: get("login_hint") ?? null,
    idTokenHint: get("id_token_hint") ?? null,
    subject: expectedSubject(get("claims")),
    uiLocales: get("ui_locales") ?? null,
    claims: get("claims") ?? null,
    orgId: orgId !== undefined && isId("org", orgId) ? orgId : null,
    jkt: get("dpop_jkt") ?? null
  }
}

/**
 * Returns whether a login is recent enough for a request. Its age is measured at the start of the request, so a user who
 * logged in for the request passes.
 */
export const isRecentEnough = (
  { maxAge, prompts }: Pick<AuthorizationRequest, "maxAge" | "prompts">,
  authentication: Authentication | null,
  createdAt: DateTime.Utc
): boolean => {
  const seconds = prompts.includes("login") ? 0 : maxAge
  if (seconds === null) return true
  return authentication !== null && authentication.at.epochMilliseconds >= createdAt.epochMilliseconds - seconds * 1_000
}
