import { Effect } from "effect"
import { RealmJobsRepo } from "#store/realms/RealmJobsRepo"
import type { Job } from "./Actor.ts"

/** Deletes the data of deleted and reset realms in batches (C20). */
export const ResetRealms = Effect.map(
  RealmJobsRepo,
  (repo): Job => ({ name: "ResetRealms", batch: repo.runBatch, nextDue: repo.nextDue })
)
