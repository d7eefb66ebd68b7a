import { Data, type DateTime } from "effect"
import type { RealmId } from "./Ids.ts"
import { earliestId, isGeneratedId, type Kind } from "./Ids.ts"

/** The resources a reset can delete (`v1.realms`). */
export const resettableResources = ["app_hooks", "auth_providers", "login_policies", "orgs", "users"] as const

export type Resettable = (typeof resettableResources)[number]

/** Whether a reset deletes each kind of resource by default. */
export const defaultResets: Readonly<Record<Resettable, boolean>> = {
  app_hooks: false,
  auth_providers: false,
  login_policies: false,
  orgs: true,
  users: true
}

/** A reset in progress. It deletes the resources that existed at `cutoffAt`. */
export interface PendingReset {
  readonly resources: ReadonlyArray<Resettable>
  readonly cutoffAt: DateTime.Utc
}

/** For each kind of id, the resources whose reset also deletes it. */
const deletingResources: Partial<Record<Kind, ReadonlyArray<Resettable>>> = {
  user: ["users"],
  credential: ["users"],
  session: ["users"],
  grant: ["users"],
  consent: ["users"],
  membership: ["users", "orgs"],
  org: ["orgs"],
  orgDomain: ["orgs"],
  invitation: ["orgs"]
}

/** The first id of a kind that a reset does not delete, or undefined if it deletes none of that kind. */
export const firstRetainedId = (pendingReset: PendingReset | null, kind: Kind): string | undefined =>
  pendingReset !== null && deletingResources[kind]?.some((resource) => pendingReset.resources.includes(resource))
    ? earliestId(kind, pendingReset.cutoffAt.epochMilliseconds + 1)
    : undefined

/**
 * Returns whether a reset in progress will delete this id. Lookups no longer find it (C20). An id kept from another service
 * contains no time, but is always older than the reset: none can be imported while a reset is in progress (C285).
 */
export const isBeingReset = (pendingReset: PendingReset | null, kind: Kind, id: string): boolean => {
  const firstRetained = firstRetainedId(pendingReset, kind)
  return firstRetained !== undefined && (id < firstRetained || !isGeneratedId(kind, id))
}

/** A reset of the realm is already in progress. Another one can start when it has finished. */
export class ResetInProgress extends Data.TaggedError("ResetInProgress")<{ readonly realmId: RealmId }> {}
