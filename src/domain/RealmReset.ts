import { Data, type DateTime } from "effect"
import type { RealmId } from "./Ids.ts"
import { earliestId, type Kind } from "./Ids.ts"

/** What a reset can clear (api-v1 section 4, "Realms"). */
export const resettable = ["app_hooks", "auth_providers", "login_policies", "orgs", "users"] as const

export type Resettable = (typeof resettable)[number]

/** What a reset clears unless told otherwise. */
export const clearedByDefault: Readonly<Record<Resettable, boolean>> = {
  app_hooks: false,
  auth_providers: false,
  login_policies: false,
  orgs: true,
  users: true
}

/** A clearing that was asked for and is not done yet: of what there was at its cut-off. */
export interface Clearing {
  readonly resources: ReadonlyArray<Resettable>
  readonly cutoffAt: DateTime.Utc
}

/** With what each kind of thing goes. */
const goesWith: Partial<Record<Kind, ReadonlyArray<Resettable>>> = {
  user: ["users"],
  credential: ["users"],
  session: ["users"],
  membership: ["users", "orgs"],
  org: ["orgs"],
  invitation: ["orgs"]
}

/** The first id of a kind that a clearing leaves alone; undefined when it leaves them all. */
export const firstKept = (clearing: Clearing | null, kind: Kind): string | undefined =>
  clearing !== null && goesWith[kind]?.some((resource) => clearing.resources.includes(resource))
    ? earliestId(kind, clearing.cutoffAt.epochMilliseconds + 1)
    : undefined

/** Whether what an id names is about to be cleared: it can't be found any more (decision 20). */
export const isCleared = (clearing: Clearing | null, kind: Kind, id: string): boolean => {
  const kept = firstKept(clearing, kind)
  return kept !== undefined && id < kept
}

/** A clearing of the realm is at work: another can begin when it is done. */
export class ClearingAtWork extends Data.TaggedError("ClearingAtWork")<{ readonly realmId: RealmId }> {}
