import { Data, type DateTime } from "effect"
import type { AppId, ConsentId, RealmId, UserId } from "../Ids.ts"
import type { AuthorizationRequest } from "./AuthorizationRequest.ts"
import { isUnverifiable } from "./RedirectUri.ts"

/** A user's permanent consent for a client. It covers all scopes and resource servers that the user has ever granted. */
export interface OAuthConsent {
  readonly id: ConsentId
  readonly realmId: RealmId
  readonly userId: UserId
  readonly clientId: AppId
  readonly scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
  /** The combinations of scope and resource server that the user has agreed to. */
  readonly pairs: ReadonlyArray<string>
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/**
 * The combinations of each scope with each resource server, as strings. Each scope is also combined with the realm itself
 * (""), because a client with resource servers can get the scope's data from the realm too (C171).
 */
export const consentPairs = ({
  scopes,
  resources
}: Pick<OAuthConsent, "scopes" | "resources">): ReadonlyArray<string> =>
  scopes.flatMap((scope) => ["", ...resources].map((target) => `${scope} ${target}`))

type ConsentRequest = Pick<AuthorizationRequest, "client" | "prompts" | "redirectUri" | "scopes" | "resources">

/** Returns whether the user needs to be asked at all. First-party clients need no consent, unless they request it. */
const needsConsent = ({ client, prompts }: ConsentRequest): boolean =>
  client.consent === "ask" || prompts.includes("consent")

/**
 * Returns whether earlier consent counts. It does not if the client registered itself and might be a different one by now
 * (SEC-192), or if it is uncertain which program receives the code (RFC 8252 §8.6).
 */
const canReuseConsent = (request: ConsentRequest): boolean =>
  !request.prompts.includes("consent") && !isUnverifiable(request) && request.client.registration === null

/** Returns whether to ask the user for consent to a request, given their earlier consent for the client (SEC-195). */
export const asksConsent = (request: ConsentRequest, before: Pick<OAuthConsent, "pairs"> | undefined): boolean => {
  if (!needsConsent(request)) return false
  const allowed = new Set(before?.pairs)
  const isCovered = before !== undefined && consentPairs(request).every((pair) => allowed.has(pair))
  return !(isCovered && canReuseConsent(request))
}

export class OAuthConsentNotFound extends Data.TaggedError("OAuthConsentNotFound")<{ readonly id: string }> {}
