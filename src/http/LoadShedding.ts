import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Caller } from "#domain/Caller"
import { Overloaded } from "#domain/Overloaded"
import type { Realm } from "#domain/Realm"
import { makeAdmission } from "#platform/Admission"
import { shareOf, WorkerCount } from "#platform/WorkerCount"
import { wireErrors } from "./Errors.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Whether a request only reads. */
export const isRead = ({ method }: Request): boolean => method === "GET" || method === "HEAD"

/** How many requests are worked on at once, by all workers together. Further ones are refused at little cost, with the time to retry after. */
const sizes = { reads: 512, writes: 160, longRunning: 512 }

/** Turns the refusal of an overloaded service into its wire error. */
export const catchOverload = <A, E, R>(call: Effect.Effect<A, E | Overloaded, R>) =>
  Effect.catchIf(
    call,
    (error) => error instanceof Overloaded,
    (error) => Effect.fail(wireErrors.Overloaded(error))
  )

/** Admits requests up to a limit each: reads, writes, and long-running ones, which wait for the outside world. */
export const makeAdmissionControl = Effect.map(WorkerCount, (workers) => {
  const admissionOf = (name: string, size: number) =>
    makeAdmission({ name, concurrency: shareOf(size, workers), queueLimit: 0 })
  const reads = admissionOf("reads", sizes.reads)
  const writes = admissionOf("writes", sizes.writes)
  const longRunningRequests = admissionOf("outside", sizes.longRunning)
  return (request: Request, { longRunning }: { readonly longRunning: boolean }) => {
    const admission = longRunning ? longRunningRequests : isRead(request) ? reads : writes
    return <A, E, R>(realm: Realm | undefined, { keyId }: Caller["Service"], call: Effect.Effect<A, E, R>) =>
      catchOverload(admission.run(realm?.id ?? keyId, call))
  }
})
