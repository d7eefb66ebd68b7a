import type { DateTime } from "effect"
import type { OAuthGrant } from "./OAuthGrant.ts"

/** For how long a code can be redeemed, in seconds (RFC 6749 §4.1.2). */
export const CODE_SECONDS = 60

/** What an authorization code stands for: the grant that its redemption makes, which has its id already. */
export interface OAuthCode
  extends Pick<
    OAuthGrant,
    "realmId" | "clientId" | "userId" | "scopes" | "resources" | "orgId" | "claims" | "jkt" | "authentication"
  > {
  /** The digest of the code. */
  readonly id: string
  readonly grantId: OAuthGrant["id"]
  readonly sid: string
  /** The redirect URI that the code was sent to, which the client has to name again. */
  readonly redirectUri: string
  readonly codeChallenge: string | null
  readonly nonce: string | null
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
  /** When it was redeemed. Null: it was not. */
  readonly usedAt: DateTime.Utc | null
}
