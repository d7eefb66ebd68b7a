import { DateTime } from "effect"
import type { OAuthClient } from "../clients/OAuthClient.ts"
import type { Realm } from "../Realm.ts"
import type { User } from "../User.ts"
import { type OAuthGrant, withinClientLimits } from "./OAuthGrant.ts"
import type { OAuthReason } from "./OAuthProblem.ts"

/** The current state that the tokens of a grant depend on. */
export interface GrantState {
  readonly realm: Pick<Realm, "state">
  readonly client: Pick<OAuthClient, "id" | "state" | "allowedScopes" | "resources">
  readonly grant: Pick<OAuthGrant, "clientId" | "scopes" | "resources" | "sid" | "endedAt" | "expiresAt">
  readonly user: Pick<User, "state">
  /** Whether the session of the grant has not ended. */
  readonly hasSession: boolean
}

type Check = readonly [fails: (state: GrantState, now: DateTime.Utc) => boolean, reason: OAuthReason]

/**
 * The checks at each use of a token, in this order. Because of them, nothing has to revoke the tokens when, for example, the
 * user or the client becomes inactive (SEC-152).
 */
const checks: ReadonlyArray<Check> = [
  [({ realm }) => realm.state !== "active", "realm_inactive"],
  [({ client }) => client.state !== "active", "client_inactive"],
  [({ client, grant }) => grant.clientId !== client.id, "grant_of_another"],
  [({ grant }) => grant.endedAt !== null, "grant_ended"],
  [({ grant }, now) => DateTime.isLessThanOrEqualTo(grant.expiresAt, now), "grant_ended"],
  [({ user }) => user.state !== "active", "grant_ended"],
  [({ grant, client, hasSession }) => endsWithSession(withinClientLimits(grant, client)) && !hasSession, "grant_ended"]
]

/** Whether a grant ends with the session in which it was given: it does unless it has `offline_access`. */
export const endsWithSession = ({ sid, scopes }: Pick<OAuthGrant, "sid" | "scopes">): boolean =>
  sid !== null && !scopes.includes("offline_access")

/** Why the tokens of a grant no longer work. Undefined: they work. */
export const grantProblem = (state: GrantState, now: DateTime.Utc): OAuthReason | undefined =>
  checks.find(([fails]) => fails(state, now))?.[1]
