import { DateTime } from "effect"
import type { OAuthClient } from "../clients/OAuthClient.ts"
import type { Realm } from "../Realm.ts"
import type { User } from "../User.ts"
import { type OAuthGrant, withinClient } from "./OAuthGrant.ts"
import type { OAuthReason } from "./OAuthProblem.ts"

/** What the tokens of a grant depend on, as it is now. */
export interface GrantState {
  readonly realm: Pick<Realm, "state">
  readonly client: Pick<OAuthClient, "id" | "state" | "allowedScopes" | "resources">
  readonly grant: Pick<OAuthGrant, "clientId" | "scopes" | "resources" | "sid" | "endedAt" | "expiresAt">
  readonly user: Pick<User, "state">
  /** Whether the session of the grant has not ended. */
  readonly hasSession: boolean
}

type Check = readonly [fails: (state: GrantState, now: DateTime.Utc) => boolean, reason: OAuthReason]

/** What each use of a token checks, in this order. Nothing has to end the tokens when one of these ends (SEC-152). */
const checks: ReadonlyArray<Check> = [
  [({ realm }) => realm.state !== "active", "realm_inactive"],
  [({ client }) => client.state !== "active", "client_inactive"],
  [({ client, grant }) => grant.clientId !== client.id, "grant_of_another"],
  [({ grant }) => grant.endedAt !== null, "grant_ended"],
  [({ grant }, now) => DateTime.isLessThanOrEqualTo(grant.expiresAt, now), "grant_ended"],
  [({ user }) => user.state !== "active", "grant_ended"],
  [({ grant, client, hasSession }) => endsWithSession(withinClient(grant, client)) && !hasSession, "grant_ended"]
]

/** Whether a grant ends with the session in whose course it was given: unless it has `offline_access`. */
export const endsWithSession = ({ sid, scopes }: Pick<OAuthGrant, "sid" | "scopes">): boolean =>
  sid !== null && !scopes.includes("offline_access")

/** Why the tokens of a grant work no more. Undefined: they work. */
export const grantProblem = (state: GrantState, now: DateTime.Utc): OAuthReason | undefined =>
  checks.find(([fails]) => fails(state, now))?.[1]
