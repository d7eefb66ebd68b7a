import { Effect } from "effect"
import { RealmJobsRepo } from "#store/RealmJobsRepo"
import type { Job } from "./Actor.ts"

/** Clears deleted realms, and what was reset, a piece at a time (decision 20). */
export const ResetRealms = Effect.map(
  RealmJobsRepo,
  (repo): Job => ({ name: "ResetRealms", batch: repo.clearSome, nextDue: repo.nextDue })
)
