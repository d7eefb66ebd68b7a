import { hkdfSync } from "node:crypto"
import { DateTime } from "effect"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import type { GrantId, RealmId } from "#domain/Ids"
import { oauthSecrets, type RefreshToken } from "#domain/oauth/OAuthToken"
import type { Entropy } from "#platform/Entropy"
import { base62, randomSecret, sha256Text } from "#platform/Tokens"

/** A refresh token, with the form in which it is stored. */
export interface NewRefreshToken {
  readonly token: string
  readonly stored: RefreshToken
}

const stored = (
  token: string,
  grant: { readonly realmId: RealmId; readonly id: GrantId },
  client: Pick<OAuthClient, "refreshTokenDays">,
  now: DateTime.Utc
): RefreshToken => ({
  id: sha256Text(token),
  realmId: grant.realmId,
  grantId: grant.id,
  createdAt: now,
  expiresAt: DateTime.add(now, { days: client.refreshTokenDays }),
  usedAt: null,
  salt: null
})

/** Creates the first refresh token of a grant. */
export const firstRefreshToken = (
  entropy: Entropy["Service"],
  grant: { readonly realmId: RealmId; readonly id: GrantId },
  client: Pick<OAuthClient, "refreshTokenDays">,
  now: DateTime.Utc
): NewRefreshToken => {
  const token = oauthSecrets.refreshToken + randomSecret(entropy)
  return { token, stored: stored(token, grant, client, now) }
}

/** Generates the salt from which a successor is derived, together with the token itself. */
export const newSalt = (entropy: Entropy["Service"]): string => randomSecret(entropy)

/**
 * Derives the token that replaces another, from that token and a salt. A concurrent request with the same token can derive the
 * same successor, and no token can be derived from stored data.
 */
export const successorOf = (
  token: string,
  salt: string,
  grant: { readonly realmId: RealmId; readonly id: GrantId },
  client: Pick<OAuthClient, "refreshTokenDays">,
  now: DateTime.Utc
): NewRefreshToken => {
  const bytes = new Uint8Array(hkdfSync("sha256", token, salt, "sallyport refresh token v1", 32))
  const successor = oauthSecrets.refreshToken + base62(bytes)
  return { token: successor, stored: stored(successor, grant, client, now) }
}
