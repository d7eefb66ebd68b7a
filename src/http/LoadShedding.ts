import { Effect } from "effect"
import type { WireError } from "#api/Errors"
import type { Caller } from "#domain/Caller"
import { Overloaded } from "#domain/Overloaded"
import type { Realm } from "#domain/Realm"
import { makeAdmission } from "#platform/Admission"
import { CurrentRequestContext } from "#platform/RequestContext"
import { shareOf, WorkerCount } from "#platform/WorkerCount"
import { wireErrors } from "./Errors.ts"

/** Returns whether a request or an endpoint only reads. */
export const isRead = ({ method }: { readonly method: string }): boolean => method === "GET" || method === "HEAD"

/**
 * The maximum number of concurrent requests across all workers. Requests beyond it are rejected cheaply, with a `Retry-After`.
 */
const sizes = { reads: 512, writes: 160, longRunning: 512 }

/** Returns the wire error of an overloaded service. The log entry names the full queue. */
const refuse = (overloaded: Overloaded) =>
  Effect.flatMap(CurrentRequestContext, (context) => {
    context.refusal = { reason: overloaded.reason, isDatabaseUnreachable: false }
    return Effect.fail(wireErrors.Overloaded(overloaded))
  })

/** Maps the domain's overload failure to its wire error. */
export const catchOverload = <A, E, R>(call: Effect.Effect<A, E | Overloaded, R>) =>
  Effect.catchIf(call, (error) => error instanceof Overloaded, refuse)

/** Admits calls to an endpoint, shared fairly between realms, or between API keys if the calls have no realm. */
export interface CallAdmission {
  readonly run: <A, E, R>(
    realm: Realm | undefined,
    caller: Caller["Service"],
    call: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | WireError, R>
  /** Fails if `run` would reject the call at this moment. */
  readonly check: (realm: Realm) => Effect.Effect<void, WireError>
}

/** Limits concurrent calls. Reads, writes and long-running calls, which wait for external servers, have separate limits. */
export const makeAdmissionControl = Effect.map(WorkerCount, (workers) => {
  const admissionOf = (name: string, size: number) =>
    makeAdmission({ name, concurrency: shareOf(size, workers), queueLimit: 0 })
  const reads = admissionOf("reads", sizes.reads)
  const writes = admissionOf("writes", sizes.writes)
  const longRunningCalls = admissionOf("outside", sizes.longRunning)
  return (endpoint: { readonly method: string }, longRunning: boolean): CallAdmission => {
    const admission = longRunning ? longRunningCalls : isRead(endpoint) ? reads : writes
    return {
      run: (realm, { by }, call) => catchOverload(admission.run(realm?.id ?? by.id, call)),
      check: ({ id }) => Effect.catch(admission.check(id), refuse)
    }
  }
})
