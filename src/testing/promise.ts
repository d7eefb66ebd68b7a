import { Context, Duration, Effect, Exit, Layer, Option, Scope } from "effect"
import type { PostedMail } from "./Postbox.ts"
import type { ReceivedPost } from "./Receiver.ts"
import { type TestOptions, TestSallyport } from "./TestSallyport.ts"

/** A whole Sallyport in this process, for tests that know nothing of Effect. */
export interface Started {
  readonly url: string
  /** A management key of level `admin_all_realms`. */
  readonly key: string
  /** What time the service has, in Unix milliseconds. It stands still until it is turned. */
  readonly now: () => number
  /** Turns the clock forward (`"30 days"`, or milliseconds), and does in time order all that falls due on the way: how many things. */
  advance(by: Duration.Input): Promise<number>
  /** The mails that were sent so far, oldest first. What waits to be sent goes out when the clock is turned. */
  inbox(): ReadonlyArray<PostedMail>
  /** What was posted to webhooks so far, oldest first. */
  deliveries(): ReadonlyArray<ReceivedPost>
  stop(): Promise<void>
}

/** Starts a Sallyport on a port of its own and, unless told otherwise, a database in memory. */
export const start = async (options: TestOptions = {}): Promise<Started> => {
  const scope = Scope.makeUnsafe()
  const context = await Effect.runPromise(Layer.buildWithScope(TestSallyport.layer(options), scope))
  const { url, key, clock, postbox, receiver, advance } = Context.get(context, TestSallyport)
  let advancing = false
  return {
    url,
    key,
    now: () => clock.currentTimeMillisUnsafe(),
    advance: async (by) => {
      const millis = Option.map(Duration.fromInput(by), Duration.toMillis)
      if (Option.isNone(millis) || !Number.isFinite(millis.value)) throw new Error(`Not a duration: ${String(by)}.`)
      if (millis.value < 0) throw new Error("The clock can't go backwards.")
      if (advancing) throw new Error("The clock is already being advanced. Await that call first.")
      advancing = true
      try {
        return await Effect.runPromise(advance(by))
      } finally {
        advancing = false
      }
    },
    inbox: () => postbox.mails,
    deliveries: () => receiver.posts,
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
