import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Caller } from "#domain/Caller"
import { Overloaded } from "#domain/Overloaded"
import type { Realm } from "#domain/Realm"
import { makeAdmission } from "#platform/Admission"
import { words } from "./Errors.ts"

type Request = HttpServerRequest.HttpServerRequest

export const isRead = ({ method }: Request): boolean => method === "GET" || method === "HEAD"

/** How many calls are at work at once. Who comes when it is full is told to come back, at little cost. */
const sizes = {
  reads: { atOnce: 512, places: 0 },
  writes: { atOnce: 160, places: 0 },
  outside: { atOnce: 512, places: 0 }
}

/** Says so to those for whom there is no room. */
export const shedding = <A, E, R>(call: Effect.Effect<A, E | Overloaded, R>) =>
  Effect.catchIf(
    call,
    (error) => error instanceof Overloaded,
    (error) => Effect.fail(words.Overloaded(error))
  )

/** Lets calls in as long as there is room for them: reads, writes, and what waits for others, each by themselves. */
export const makeRooms = () => {
  const reads = makeAdmission({ name: "reads", ...sizes.reads })
  const writes = makeAdmission({ name: "writes", ...sizes.writes })
  const outside = makeAdmission({ name: "outside", ...sizes.outside })
  return (request: Request, { goesOutside }: { readonly goesOutside: boolean }) => {
    const room = goesOutside ? outside : isRead(request) ? reads : writes
    return <A, E, R>(realm: Realm | undefined, { keyId }: Caller["Service"], call: Effect.Effect<A, E, R>) =>
      shedding(room.run(realm?.id ?? keyId, call))
  }
}
