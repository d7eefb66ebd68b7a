import { Context } from "effect"
import type { FaultPlan } from "#domain/Fault"

/** The failures that callers have requested in test mode. */
export class Faults extends Context.Service<Faults, FaultPlan>()("sallyport/platform/Faults") {}
