import { Effect } from "effect"
import { RealmChangesRepo } from "#store/realms/RealmChangesRepo"
import { BATCH, type Job } from "./Actor.ts"

/** Deletes old rows of the table that tells processes which realms have changed (ADR-0022). */
export const SweepRealmChanges = Effect.map(
  RealmChangesRepo,
  (repo): Job => ({ name: "SweepRealmChanges", batch: repo.deleteSome(BATCH), nextDue: Effect.succeed(undefined) })
)
