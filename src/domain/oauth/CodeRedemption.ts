import { DateTime } from "effect"
import type { AppId } from "../Ids.ts"
import type { OAuthReason } from "./OAuthProblem.ts"
import { isCodeVerifier } from "./PkceVerifier.ts"

/** The values that an authorization code is bound to. */
export interface CodeBinding {
  readonly clientId: AppId
  readonly redirectUri: string
  /** The code challenge of the authorization request. Null: it had none. */
  readonly codeChallenge: string | null
  /** The thumbprint of the DPoP key that the authorization request named. */
  readonly jkt: string | null
  readonly usedAt: DateTime.Utc | null
  readonly expiresAt: DateTime.Utc
}

/** The values that a client presents with a code. */
export interface CodePresentation {
  readonly clientId: AppId
  readonly redirectUri: string | undefined
  readonly codeVerifier: string | undefined
  /** Whether the hash of the verifier equals the challenge of the code. */
  readonly matchesChallenge: boolean
  /** The thumbprint of the key of the request's DPoP proof. */
  readonly jkt: string | null
}

type Check = readonly [
  fails: (code: CodeBinding, presented: CodePresentation, now: DateTime.Utc) => boolean,
  reason: OAuthReason
]

/**
 * The checks of a code, in this order. Reuse is detected only if the request presents everything that the code is bound to:
 * someone who has merely seen a code cannot end any tokens with it.
 */
const checks: ReadonlyArray<Check> = [
  [(code, presented) => code.clientId !== presented.clientId, "code_of_another"],
  // Clients of OAuth 2.1 omit the redirect URI, because PKCE protects against the same attacks.
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

/** Why a code is rejected. Undefined: it may be redeemed. */
export const codeProblem = (
  code: CodeBinding,
  presented: CodePresentation,
  now: DateTime.Utc
): OAuthReason | undefined => checks.find(([fails]) => fails(code, presented, now))?.[1]
