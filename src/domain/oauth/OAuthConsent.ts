import { Data, type DateTime } from "effect"
import type { AppId, ConsentId, RealmId, UserId } from "../Ids.ts"
import type { AuthorizationRequest } from "./AuthorizationRequest.ts"
import { isUnverifiable } from "./RedirectUri.ts"

/** A user's permanent consent for a client: all scopes and resource servers that the user ever granted it. */
export interface OAuthConsent {
  readonly id: ConsentId
  readonly realmId: RealmId
  readonly userId: UserId
  readonly clientId: AppId
  readonly scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
  /** Which scopes were granted for which resource servers: the combinations that the user has seen. */
  readonly pairs: ReadonlyArray<string>
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/**
 * Each scope combined with each of its resource servers, as one text, and with the realm itself (""), where a client with
 * resource servers can also get the data of the scope (C171).
 */
export const consentPairs = ({
  scopes,
  resources
}: Pick<OAuthConsent, "scopes" | "resources">): ReadonlyArray<string> =>
  scopes.flatMap((scope) => ["", ...resources].map((target) => `${scope} ${target}`))

type ConsentRequest = Pick<AuthorizationRequest, "client" | "prompts" | "redirectUri" | "scopes" | "resources">

/** Whether the user is asked at all: first-party clients need no consent, unless they request it. */
const needsConsent = ({ client, prompts }: ConsentRequest): boolean =>
  client.consent === "ask" || prompts.includes("consent")

/**
 * Whether earlier consent counts. It does not if any program could be the one that receives the code (RFC 8252 §8.6), or if the
 * client registered itself and may be a different one by now (SEC-192).
 */
const canReuseConsent = (request: ConsentRequest): boolean =>
  !request.prompts.includes("consent") && !isUnverifiable(request) && request.client.registration === null

/** Whether a request needs the user's consent, given the user's earlier consent for the client (SEC-195). */
export const asksConsent = (request: ConsentRequest, before: Pick<OAuthConsent, "pairs"> | undefined): boolean => {
  if (!needsConsent(request)) return false
  const allowed = new Set(before?.pairs)
  const isCovered = before !== undefined && consentPairs(request).every((pair) => allowed.has(pair))
  return !(isCovered && canReuseConsent(request))
}

export class OAuthConsentNotFound extends Data.TaggedError("OAuthConsentNotFound")<{ readonly id: string }> {}
