import { Data, type DateTime } from "effect"
import type { AppId, ConsentId, RealmId, UserId } from "../Ids.ts"
import type { AuthorizationRequest } from "./AuthorizationRequest.ts"
import { isUnverifiable } from "./RedirectUri.ts"

/** What a user has allowed a client for good: all scopes and resource servers that they ever granted it. */
export interface OAuthConsent {
  readonly id: ConsentId
  readonly realmId: RealmId
  readonly userId: UserId
  readonly clientId: AppId
  readonly scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
  /** Which of the scopes were granted for which of the resource servers: what the user has seen together. */
  readonly pairs: ReadonlyArray<string>
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/**
 * Each scope with each resource server that it is for, as one text, and with the realm itself (""), at which a client with
 * resource servers may learn what the scope tells, too (C171).
 */
export const consentPairs = ({
  scopes,
  resources
}: Pick<OAuthConsent, "scopes" | "resources">): ReadonlyArray<string> =>
  scopes.flatMap((scope) => ["", ...resources].map((target) => `${scope} ${target}`))

type Asked = Pick<AuthorizationRequest, "client" | "prompts" | "redirectUri" | "scopes" | "resources">

/** Whether the user is asked at all: one's own clients need no consent, unless they ask for it. */
const needsConsent = ({ client, prompts }: Asked): boolean => client.consent === "ask" || prompts.includes("consent")

/**
 * Whether earlier consent counts: not where anybody's program may be the one that receives the code (RFC 8252 §8.6), nor for a
 * client that registered itself and may be another by now (SEC-192).
 */
const remembers = (request: Asked): boolean =>
  !request.prompts.includes("consent") && !isUnverifiable(request) && request.client.registration === null

/** Whether a request needs the user's consent, given what the user has allowed the client before (SEC-195). */
export const asksConsent = (request: Asked, before: Pick<OAuthConsent, "pairs"> | undefined): boolean => {
  if (!needsConsent(request)) return false
  const allowed = new Set(before?.pairs)
  const isCovered = before !== undefined && consentPairs(request).every((pair) => allowed.has(pair))
  return !(isCovered && remembers(request))
}

export class OAuthConsentNotFound extends Data.TaggedError("OAuthConsentNotFound")<{ readonly id: string }> {}
