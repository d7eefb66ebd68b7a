import { Effect } from "effect"
import { EventRetention } from "#core/upkeep/EventRetention"
import type { Job } from "./Actor.ts"

/** Clears away events, and what was delivered of them, that were kept for long enough (SEC-101). */
export const SweepEvents = Effect.map(
  EventRetention,
  ({ sweepSome, nextDue }): Job => ({ name: "SweepEvents", batch: sweepSome, nextDue })
)
