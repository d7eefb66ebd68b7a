import { DateTime, Effect } from "effect"
import { JwtKeysRepo } from "#store/JwtKeysRepo"
import { BATCH, type Job } from "./Actor.ts"

/** Deletes signing keys that were retired and whose grace time is over (decision 32). Nobody is told: nothing changes for them. */
export const RetireJwtKeys = Effect.map(
  JwtKeysRepo,
  (repo): Job => ({
    name: "RetireJwtKeys",
    batch: Effect.gen(function* () {
      return (yield* repo.deleteRetired(yield* DateTime.now, BATCH)).length
    }),
    nextDue: repo.nextRetirement
  })
)
