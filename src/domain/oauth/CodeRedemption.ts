import { DateTime } from "effect"
import type { AppId } from "../Ids.ts"
import type { OAuthReason } from "./OAuthProblem.ts"
import { isCodeVerifier } from "./PkceVerifier.ts"

/** The values that an authorization code is bound to. */
export interface CodeBinding {
  readonly clientId: AppId
  readonly redirectUri: string
  /** The code challenge of the authorization request, or null if it had none. */
  readonly codeChallenge: string | null
  /** The thumbprint of the DPoP key named in the authorization request, or null. */
  readonly jkt: string | null
  readonly usedAt: DateTime.Utc | null
  readonly expiresAt: DateTime.Utc
}

/** The values that a client presents along with a code. */
export interface CodePresentation {
  readonly clientId: AppId
  readonly redirectUri: string | undefined
  readonly codeVerifier: string | undefined
  /** Whether the hash of the verifier equals the code's challenge. */
  readonly matchesChallenge: boolean
  /** The thumbprint of the key in the request's DPoP proof, or null. */
  readonly jkt: string | null
}

type Check = readonly [
  fails: (code: CodeBinding, presented: CodePresentation, now: DateTime.Utc) => boolean,
  reason: OAuthReason
]

/**
 * The checks for a code, in order. Reuse is reported only if the request presents everything the code is bound to.
 * Otherwise anyone who has merely seen a code could revoke its tokens.
 */
const checks: ReadonlyArray<Check> = [
  [(code, presented) => code.clientId !== presented.clientId, "code_of_another"],
  // OAuth 2.1 clients omit the redirect URI, because PKCE protects against the same attacks.
  [
    (code, { redirectUri }) =>
      redirectUri === undefined ? code.codeChallenge === null : redirectUri !== code.redirectUri,
    "redirect_uri_mismatch"
  ],
  [(code, { codeVerifier }) => code.codeChallenge !== null && codeVerifier === undefined, "verifier_missing"],
  // An attacker may have removed the challenge from the authorization request (RFC 9700 §4.8.2).
  [(code, { codeVerifier }) => code.codeChallenge === null && codeVerifier !== undefined, "verifier_unexpected"],
  [(_, { codeVerifier }) => codeVerifier !== undefined && !isCodeVerifier(codeVerifier), "verifier_malformed"],
  [(code, { matchesChallenge }) => code.codeChallenge !== null && !matchesChallenge, "verifier_mismatch"],
  [(code, { jkt }) => code.jkt !== null && code.jkt !== jkt, "proof_key_mismatch"],
  [(code) => code.usedAt !== null, "code_reused"],
  [(code, _, now) => DateTime.isLessThanOrEqualTo(code.expiresAt, now), "code_expired"]
]

/** The reason a code is rejected, or undefined if it may be redeemed. */
export const codeProblem = (
  code: CodeBinding,
  presented: CodePresentation,
  now: DateTime.Utc
): OAuthReason | undefined => checks.find(([fails]) => fails(code, presented, now))?.[1]
