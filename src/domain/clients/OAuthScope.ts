import { type Problem, problem } from "../Rejected.ts"
import { isWithin, TEXT_LENGTH } from "../Text.ts"
import type { OAuthClient } from "./OAuthClient.ts"

/** The scopes that every realm has. Realms can add their own. */
export const standardScopes = ["openid", "profile", "email", "offline_access", "orgs"] as const

export type StandardScope = (typeof standardScopes)[number]

const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** Returns whether a string is a scope by the grammar of RFC 6749 §3.3. */
export const isScopeToken = (text: string): boolean => SCOPE_TOKEN.test(text)

/** The scopes in a `scope` parameter, in order and without duplicates. Undefined if it breaks the grammar of RFC 6749 §3.3. */
export const parseScopes = (text: string): ReadonlyArray<string> | undefined => {
  const scopes = [...new Set(text.split(" ").filter((scope) => scope !== ""))]
  return scopes.every(isScopeToken) ? scopes : undefined
}

/**
 * The scopes a client requests from its users. If `scope` is omitted, these are all the client's scopes except those of
 * OpenID Connect.
 */
export const requestedScopes = (
  { allowedScopes, grantTypes }: Pick<OAuthClient, "allowedScopes" | "grantTypes">,
  scope: string | undefined
): ReadonlyArray<string> => {
  const allowed = allowedScopes.filter((one) => one !== "offline_access" || grantTypes.includes("refresh_token"))
  if (scope === undefined) return allowed.filter((one) => one !== "openid" && one !== "offline_access")
  return (parseScopes(scope) ?? []).filter((one) => allowed.includes(one))
}

/**
 * The scopes of a token: the requested ones, or all granted ones if none are requested (RFC 6749 §6). Undefined if a
 * requested scope was not granted.
 */
export const narrowScopes = (
  granted: ReadonlyArray<string>,
  asked: ReadonlyArray<string> | undefined
): ReadonlyArray<string> | undefined => {
  if (asked === undefined || asked.length === 0) return granted
  return asked.every((scope) => granted.includes(scope)) ? asked : undefined
}

/** The maximum number of scopes that a realm can add, and that a client can have. */
export const MAX_SCOPES = 100

/** Validates the scopes that a realm adds to the standard ones. */
export const ownScopesProblems = (scopes: ReadonlyArray<string>): ReadonlyArray<Problem> => {
  const field = "oauth_scopes"
  const standard: ReadonlyArray<string> = standardScopes
  if (scopes.length > MAX_SCOPES) return [problem(field, "too_many", { most: MAX_SCOPES })]
  if (!scopes.every(isScopeToken)) return [problem(field, "scope_form")]
  if (!scopes.every((scope) => isWithin(TEXT_LENGTH, scope)))
    return [problem(field, "too_long", { maximum: TEXT_LENGTH })]
  const same = scopes.find((scope) => standard.includes(scope))
  return same === undefined ? [] : [problem(field, "scope_standard", { scope: same })]
}
