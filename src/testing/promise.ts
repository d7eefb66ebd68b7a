import { Context, Duration, Effect, Exit, Layer, Option, Scope } from "effect"
import type { PostedMail } from "./Postbox.ts"
import type { ReceivedPost } from "./Receiver.ts"
import { type TestOptions, TestSallyport } from "./TestSallyport.ts"

/** A complete service in this process, for tests that do not use Effect. */
export interface Started {
  readonly url: string
  /** A management key of level `admin_all_realms`. */
  readonly key: string
  /** The service's time in Unix milliseconds. It stands still until it is advanced. */
  readonly now: () => number
  /**
   * Advances the clock (`"30 days"`, or milliseconds) and does, in order, everything that falls due on the way. Resolves to
   * how many items that was.
   */
  advance(by: Duration.Input): Promise<number>
  /** The mails sent so far, oldest first. Mails in the outbox are sent when the clock is advanced. */
  inbox(): ReadonlyArray<PostedMail>
  /** The posts to webhooks so far, oldest first. */
  deliveries(): ReadonlyArray<ReceivedPost>
  stop(): Promise<void>
}

/** Starts a service on a port of its own, with a database in memory unless the options have another. */
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
