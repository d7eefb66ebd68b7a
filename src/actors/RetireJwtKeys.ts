import { DateTime, Effect } from "effect"
import { JwtKeysRepo } from "#store/realms/JwtKeysRepo"
import { BATCH, type Job } from "./Actor.ts"

/** Deletes retired signing keys whose grace period is over (C32). Records no events. */
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
