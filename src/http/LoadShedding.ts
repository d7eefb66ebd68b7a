import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Caller } from "#domain/Caller"
import { Overloaded } from "#domain/Overloaded"
import type { Realm } from "#domain/Realm"
import { makeAdmission } from "#platform/Admission"
import { wireErrors } from "./Errors.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Whether a request only reads. */
export const isRead = ({ method }: Request): boolean => method === "GET" || method === "HEAD"

/** How many requests are worked on at once. Further ones are refused at little cost, with the time to retry after. */
const sizes = {
  reads: { concurrency: 512, queueLimit: 0 },
  writes: { concurrency: 160, queueLimit: 0 },
  longRunning: { concurrency: 512, queueLimit: 0 }
}

/** Turns the refusal of an overloaded service into its wire error. */
export const catchOverload = <A, E, R>(call: Effect.Effect<A, E | Overloaded, R>) =>
  Effect.catchIf(
    call,
    (error) => error instanceof Overloaded,
    (error) => Effect.fail(wireErrors.Overloaded(error))
  )

/** Admits requests up to a limit each: reads, writes, and long-running ones, which wait for the outside world. */
export const makeAdmissionControl = () => {
  const reads = makeAdmission({ name: "reads", ...sizes.reads })
  const writes = makeAdmission({ name: "writes", ...sizes.writes })
  const longRunningRequests = makeAdmission({ name: "outside", ...sizes.longRunning })
  return (request: Request, { longRunning }: { readonly longRunning: boolean }) => {
    const admission = longRunning ? longRunningRequests : isRead(request) ? reads : writes
    return <A, E, R>(realm: Realm | undefined, { keyId }: Caller["Service"], call: Effect.Effect<A, E, R>) =>
      catchOverload(admission.run(realm?.id ?? keyId, call))
  }
}
