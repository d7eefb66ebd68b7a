/** The error code of a reason (RFC 6750 §3.1, RFC 9449 §7.1), and its message for logs. */
interface ReasonText {
  readonly status: 401 | 403
  readonly error?: "invalid_token" | "insufficient_scope" | "invalid_dpop_proof"
  readonly message: string
}

const token = (message: string): ReasonText => ({ status: 401, error: "invalid_token", message })

const proof = (message: string): ReasonText => ({ status: 401, error: "invalid_dpop_proof", message })

/** The reasons why an access token is rejected. */
export const accessTokenReasons = {
  token_missing: { status: 401, message: "The request has no access token." },
  malformed: token("The token is not a signed JSON Web Token."),
  wrong_type: token("The token is not an access token: its type is not at+jwt."),
  wrong_algorithm: token("The token is not signed with RS256."),
  unknown_key: token("The token is signed with a key that the issuer does not publish."),
  wrong_signature: token("The signature of the token is invalid."),
  wrong_issuer: token("The token is from another issuer."),
  wrong_audience: token("The token is for another resource."),
  expired: token("The token has expired."),
  not_yet_valid: token("The token is not valid yet. Check the clock."),
  missing_claim: token("The token lacks a required claim."),
  binding_unknown: token("The token is sender-constrained in an unsupported way."),
  proof_missing: token("The token is bound to a key, so it requires the DPoP scheme and a proof."),
  proof_unexpected: token("The token is not bound to a key, so it can't be used with the DPoP scheme."),
  proof_required: token("This resource only accepts tokens that are bound to a key (DPoP)."),
  proof_unsupported: token("This resource doesn't accept tokens that are bound to a key (DPoP)."),
  proof_malformed: proof("The DPoP proof is malformed: its format, type, algorithm, key or claims are invalid."),
  proof_wrong_signature: proof("The signature of the DPoP proof is invalid."),
  proof_wrong_key: proof("The DPoP proof was not made with the key that the token is bound to."),
  proof_wrong_token: proof("The DPoP proof was made for another token."),
  proof_wrong_request: proof("The DPoP proof was made for another method or URL."),
  proof_wrong_time: proof("The DPoP proof is too old or from the future. Check the clock."),
  proof_replayed: proof("The DPoP proof was already used."),
  insufficient_scope: {
    status: 403,
    error: "insufficient_scope",
    message: "The token lacks the scopes that the request needs."
  }
} as const satisfies Readonly<Record<string, ReasonText>>

/** The reason why an access token is rejected, for programs. */
export type AccessTokenReason = keyof typeof accessTokenReasons

/** Describes the required scopes. The token lacks at least one of them. */
const lacking = (scopes: ReadonlyArray<string>): string =>
  `The token needs the scope${scopes.length === 1 ? "" : "s"} ${scopes.join(" ")}.`

/** A rejected access token, or a request without one. */
export class AccessTokenRefused extends Error {
  override readonly name = "AccessTokenRefused"
  /** The reason, for programs. */
  readonly reason: AccessTokenReason
  /** The status of the response: 401, or 403 if only a scope is missing. */
  readonly status: 401 | 403
  /** The error code of the challenge (RFC 6750 §3.1), or undefined if the request has no token. */
  readonly error: ReasonText["error"]
  /** The scopes that the request requires. */
  readonly scopes: ReadonlyArray<string>

  constructor(reason: AccessTokenReason, scopes: ReadonlyArray<string> = []) {
    const { status, message, error }: ReasonText = accessTokenReasons[reason]
    super(reason === "insufficient_scope" && scopes.length > 0 ? lacking(scopes) : message)
    this.reason = reason
    this.status = status
    this.error = error
    this.scopes = scopes
  }
}
