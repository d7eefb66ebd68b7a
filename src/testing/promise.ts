import { Context, type DateTime, type Duration, Effect, Exit, Layer, Scope } from "effect"
import type { PostedMail } from "./Postbox.ts"
import type { ReceivedPost } from "./Receiver.ts"
import type { ServiceFetch } from "./ServiceFetch.ts"
import type { TestOptions } from "./TestOptions.ts"
import { TestSallyport } from "./TestSallyport.ts"

/** Anything with the service's time at that moment, in Unix milliseconds like `now()`. */
type Timed<Captured extends { readonly at: DateTime.Utc }> = Omit<Captured, "at"> & { readonly at: number }

const timed = <Captured extends { readonly at: DateTime.Utc }>(captured: Captured): Timed<Captured> => ({
  ...captured,
  at: captured.at.epochMilliseconds
})

/** A complete service in this process, for tests that do not use Effect. */
export interface Started {
  readonly url: string
  /** A management key of level `admin_all_realms`, with which a test creates its realm. */
  readonly key: string
  /** The service's time in Unix milliseconds. It stands still until it is advanced. */
  readonly now: () => number
  /**
   * Advances the clock by milliseconds, or by text in seconds, minutes, hours, days or weeks (`"30 days"`), and does, in
   * order, everything that falls due on the way. Resolves to how many items that was. Rejects, and leaves the clock alone,
   * if that is no duration of at most 100 years.
   */
  advance(by: Duration.Input): Promise<number>
  /**
   * The mails sent so far, oldest first, each with its `links` and `codes`. `to`: only those to this address, ignoring
   * case. Mails in the outbox are sent when the clock is advanced, by 0 too.
   */
  inbox(to?: string): ReadonlyArray<Timed<PostedMail>>
  /** The posts to webhooks so far, oldest first. */
  deliveries(): ReadonlyArray<Timed<ReceivedPost>>
  /**
   * Sets the statuses with which a webhook's destination answers the next posts, one after the other; the last of them
   * stays. None: 200 again, as at the beginning.
   */
  answer(destination: string, ...statuses: ReadonlyArray<number>): void
  /** `fetch` for links in mails and for pages: it reaches the hosts of apps, which no name server knows. */
  readonly fetch: ServiceFetch
  stop(): Promise<void>
}

/** Starts a service on a port of its own, with a database in memory unless the options have another. */
export const start = async (options: TestOptions = {}): Promise<Started> => {
  const scope = Scope.makeUnsafe()
  const context = await Effect.runPromise(Layer.buildWithScope(TestSallyport.layer(options), scope))
  const { url, key, clock, postbox, receiver, advance, fetch } = Context.get(context, TestSallyport)
  let advancing = false
  let stopped = false
  return {
    url,
    key,
    now: () => clock.currentTimeMillisUnsafe(),
    advance: async (by) => {
      if (stopped) throw new Error("The service was stopped.")
      if (advancing) throw new Error("The clock is already being advanced. Await that call first.")
      advancing = true
      try {
        return await Effect.runPromise(advance(by))
      } finally {
        advancing = false
      }
    },
    inbox: (to) => (to === undefined ? postbox.mails : postbox.to(to)).map(timed),
    deliveries: () => receiver.posts.map(timed),
    answer: (destination, ...statuses) => receiver.answerInTurn(destination, statuses),
    fetch,
    stop: () => {
      stopped = true
      return Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
}
