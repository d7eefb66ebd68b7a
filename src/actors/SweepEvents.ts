import { Effect } from "effect"
import { EventRetention } from "#core/upkeep/EventRetention"
import type { Job } from "./Actor.ts"

/** Deletes events whose retention has ended, together with their deliveries (SEC-101). */
export const SweepEvents = Effect.map(
  EventRetention,
  ({ deleteBatch: sweepSome, nextDue }): Job => ({ name: "SweepEvents", batch: sweepSome, nextDue })
)
