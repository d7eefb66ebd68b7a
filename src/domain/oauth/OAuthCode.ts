import type { DateTime } from "effect"
import type { OAuthGrant } from "./OAuthGrant.ts"

/** How long a code can be redeemed, in seconds (RFC 6749 §4.1.2). */
export const CODE_SECONDS = 60

/** An authorization code. Redeeming it creates a grant, whose id is already determined. */
export interface OAuthCode
  extends Pick<
    OAuthGrant,
    "realmId" | "clientId" | "userId" | "scopes" | "resources" | "orgId" | "claims" | "jkt" | "authentication"
  > {
  /** The digest of the code. */
  readonly id: string
  readonly grantId: OAuthGrant["id"]
  readonly sid: string
  /** The redirect URI that the code was sent to. The client must send it again. */
  readonly redirectUri: string
  readonly codeChallenge: string | null
  readonly nonce: string | null
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
  /** When the code was redeemed. Null: not yet. */
  readonly usedAt: DateTime.Utc | null
}
