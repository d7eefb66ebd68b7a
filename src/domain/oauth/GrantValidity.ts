import { DateTime } from "effect"
import type { OAuthClient } from "../clients/OAuthClient.ts"
import type { Realm } from "../Realm.ts"
import type { User } from "../User.ts"
import { type OAuthGrant, withinClientLimits } from "./OAuthGrant.ts"
import type { OAuthReason } from "./OAuthProblem.ts"

/** The current state on which the validity of a grant's tokens depends. */
export interface GrantState {
  readonly realm: Pick<Realm, "state">
  readonly client: Pick<OAuthClient, "id" | "state" | "allowedScopes" | "resources">
  readonly grant: Pick<OAuthGrant, "clientId" | "scopes" | "resources" | "sid" | "endedAt" | "expiresAt">
  readonly user: Pick<User, "state">
  /** Whether the grant's session is still active. */
  readonly hasSession: boolean
}

type Check = readonly [fails: (state: GrantState, now: DateTime.Utc) => boolean, reason: OAuthReason]

/**
 * The checks made whenever a token is used, in order. They make it unnecessary to revoke tokens when, for example, the user
 * or the client becomes inactive (SEC-152).
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

/** Returns whether a grant ends when its session ends. It does unless it has `offline_access`. */
export const endsWithSession = ({ sid, scopes }: Pick<OAuthGrant, "sid" | "scopes">): boolean =>
  sid !== null && !scopes.includes("offline_access")

/** The reason a grant's tokens no longer work, or undefined if they do. */
export const grantProblem = (state: GrantState, now: DateTime.Utc): OAuthReason | undefined =>
  checks.find(([fails]) => fails(state, now))?.[1]
