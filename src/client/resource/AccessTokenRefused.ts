/** The error code of a reason (RFC 6750 §3.1, RFC 9449 §7.1), and its message for logs. */
interface ReasonText {
  readonly status: 401 | 403
  readonly error?: "invalid_token" | "insufficient_scope" | "invalid_dpop_proof"
  readonly message: string
}

const token = (message: string): ReasonText => ({ status: 401, error: "invalid_token", message })

const proof = (message: string): ReasonText => ({ status: 401, error: "invalid_dpop_proof", message })

/** Why an access token is rejected. */
export const accessTokenReasons = {
  token_missing: { status: 401, message: "The request carries no access token." },
  malformed: token("The token is no signed JSON Web Token."),
  wrong_type: token("The token is no access token: its header says another type than at+jwt."),
  wrong_algorithm: token("The token is signed with another algorithm than RS256."),
  unknown_key: token("The token is signed with a key that the issuer does not publish."),
  wrong_signature: token("The signature of the token is not right."),
  wrong_issuer: token("The token comes from another issuer."),
  wrong_audience: token("The token is meant for another resource."),
  expired: token("The token has expired."),
  not_yet_valid: token("The token is not valid yet: check the clock."),
  missing_claim: token("The token lacks a claim that every access token has."),
  binding_unknown: token("The token is bound to its sender in a way that is not understood here."),
  proof_missing: token("The token is bound to a key: it needs the scheme DPoP and a proof."),
  proof_unexpected: token("The token is not bound to a key: it can't be used with the scheme DPoP."),
  proof_required: token("This resource takes only tokens that are bound to a key (DPoP)."),
  proof_unsupported: token("This resource takes no tokens that are bound to a key (DPoP)."),
  proof_malformed: proof("The DPoP proof is no proof: its form, type, algorithm, key or claims are not right."),
  proof_wrong_signature: proof("The signature of the DPoP proof is not right."),
  proof_wrong_key: proof("The DPoP proof was made with another key than the token is bound to."),
  proof_wrong_token: proof("The DPoP proof was made for another token."),
  proof_wrong_request: proof("The DPoP proof was made for another method or address."),
  proof_wrong_time: proof("The DPoP proof is too old, or from the future: check the clock."),
  proof_replayed: proof("The DPoP proof was used before."),
  insufficient_scope: {
    status: 403,
    error: "insufficient_scope",
    message: "The token lacks the scopes of the request."
  }
} as const satisfies Readonly<Record<string, ReasonText>>

/** Why an access token is rejected, for programs. */
export type AccessTokenReason = keyof typeof accessTokenReasons

/** Describes the scopes that a request needs, of which its token lacks at least one. */
const lacking = (scopes: ReadonlyArray<string>): string =>
  `The token needs the scope${scopes.length === 1 ? "" : "s"} ${scopes.join(" ")}.`

/** A rejected access token, or a request without one. */
export class AccessTokenRefused extends Error {
  override readonly name = "AccessTokenRefused"
  /** The reason, for programs. */
  readonly reason: AccessTokenReason
  /** The status of the response: 401, or 403 if only a scope is missing. */
  readonly status: 401 | 403
  /** The error code of the challenge (RFC 6750 §3.1); undefined if the request has no token. */
  readonly error: ReasonText["error"]
  /** The scopes that the request needs. */
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
