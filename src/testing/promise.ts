import { Context, type DateTime, type Duration, Effect, Exit, Layer, Scope } from "effect"
import { canonicalEmail } from "#domain/Email"
import type { EventRecord } from "#domain/EventRecord"
import { type Answer, destinationOf, readAnswers } from "./Answer.ts"
import { optionsProblem } from "./OptionRules.ts"
import type { PostedMail } from "./Postbox.ts"
import type { ReceivedPost } from "./Receiver.ts"
import { refusal, shown } from "./Refusal.ts"
import type { ServiceFetch } from "./ServiceFetch.ts"
import { readStep } from "./Step.ts"
import type { TestOptions } from "./TestOptions.ts"
import { TestSallyport } from "./TestSallyport.ts"

/** Anything with the service's time at that moment, in Unix milliseconds like `now()`. */
type Timed<Captured extends { readonly at: DateTime.Utc }> = Omit<Captured, "at"> & { readonly at: number }

const timed = <Captured extends { readonly at: DateTime.Utc }>(captured: Captured): Timed<Captured> => ({
  ...captured,
  at: captured.at.epochMilliseconds
})

/** A complete service in this process, for tests that do not use Effect. Once it is stopped, only `stop` can be called. */
export interface Started extends AsyncDisposable {
  readonly url: string
  /** A management key of level `admin_all_realms`, with which a test creates its realm. */
  readonly key: string
  /** The service's time in Unix milliseconds. It stands still until it is advanced. */
  readonly now: () => number
  /**
   * Advances the clock by milliseconds, by text in seconds, minutes, hours, days or weeks (`"30 days"`) or by an object
   * (`{ days: 30 }`), and does, in order, everything that falls due on the way; with 0, what is due now. Resolves to the events
   * that happened, of all realms, oldest first, as `POST /v2/test/clock` returns them. Rejects, and leaves the clock alone, if
   * that is no duration of at most 100 years.
   */
  advance(by: Duration.Input): Promise<ReadonlyArray<EventRecord>>
  /**
   * The mails sent so far, oldest first, each with its `links` and `codes`. `to`: only those to this address, ignoring
   * case. Mails in the outbox are sent when the clock is advanced, by 0 too. Throws where the option `mail` sends them elsewhere.
   */
  inbox(to?: string): ReadonlyArray<Timed<PostedMail>>
  /**
   * The posts to webhooks so far, oldest first. `destination`: only those to this URL. Throws where the option `outbound` lets
   * them out.
   */
  deliveries(destination?: string | URL): ReadonlyArray<Timed<ReceivedPost>>
  /** Empties `inbox()` and `deliveries()`. What `answer` has set stays. */
  clear(): void
  /**
   * Sets how a webhook's destination answers the next posts, one answer after the other; the last of them stays. None: 200
   * again, as at the beginning.
   */
  answer(destination: string | URL, ...answers: ReadonlyArray<Answer>): void
  /** `fetch` for links in mails and for pages: it reaches the hosts of apps, which no name server knows. */
  readonly fetch: ServiceFetch
  /** Stops the service, without which the process doesn't end. `await using` does it at the end of its block. */
  stop(): Promise<void>
}

/** Where mails go that `inbox()` has not. */
const mailsElsewhere = ({ mail = "captured" }: TestOptions): string | undefined => {
  if (mail === "captured") return undefined
  return mail === "mailbox"
    ? "Mails go to /mailbox; use GET /v2/test/messages."
    : "Mails go to the mail server that the option mail names."
}

const postsElsewhere = ({ outbound }: TestOptions): string | undefined =>
  outbound === "real" ? 'Posts to webhooks leave the service: the option outbound is "real".' : undefined

/** Starts a service on a port of its own, with a database in memory unless the options have another. */
export const start = async (options: TestOptions = {}): Promise<Started> => {
  const problem = optionsProblem(options)
  if (problem !== undefined) throw refusal(problem, start)
  const scope = Scope.makeUnsafe()
  const context = await Effect.runPromise(Layer.buildWithScope(TestSallyport.layer(options), scope))
  const { url, key, clock, postbox, receiver, advanceForEvents, fetch } = Context.get(context, TestSallyport)
  let advancing = false
  let stopping: Promise<void> | undefined

  /** Refuses a call for a reason, if there is one, and every call once the service was stopped. */
  const refuseFor = (called: (...args: ReadonlyArray<never>) => unknown, reason?: string): void => {
    const message = stopping === undefined ? reason : "The service was stopped."
    if (message !== undefined) throw refusal(message, called)
  }

  const started: Started = {
    url,
    key,
    now: () => {
      refuseFor(started.now)
      return clock.currentTimeMillisUnsafe()
    },
    advance: async (by) => {
      refuseFor(started.advance, advancing ? "The clock is already being advanced. Await that call first." : undefined)
      const step = readStep(by)
      if (typeof step !== "number") throw refusal(step.message, started.advance)
      advancing = true
      try {
        return await Effect.runPromise(advanceForEvents(step))
      } finally {
        advancing = false
      }
    },
    inbox: (to) => {
      refuseFor(started.inbox, mailsElsewhere(options))
      if (to === undefined) return postbox.mails.map(timed)
      const isAddress = typeof to === "string" && canonicalEmail(to) !== undefined
      refuseFor(started.inbox, isAddress ? undefined : `Not an e-mail address: ${shown(to)}.`)
      return postbox.to(to).map(timed)
    },
    deliveries: (destination) => {
      refuseFor(started.deliveries, postsElsewhere(options))
      if (destination === undefined) return receiver.posts.map(timed)
      const to = destinationOf(destination)
      refuseFor(started.deliveries, to === undefined ? `Not a URL of a webhook: ${shown(destination)}.` : undefined)
      return receiver.to(to ?? "").map(timed)
    },
    clear: () => {
      refuseFor(started.clear)
      postbox.clear()
      receiver.clear()
    },
    answer: (destination, ...answers) => {
      refuseFor(started.answer, postsElsewhere(options))
      const to = destinationOf(destination)
      const responses = readAnswers(answers)
      if (to === undefined) throw refusal(`Not a URL of a webhook: ${shown(destination)}.`, started.answer)
      if (typeof responses === "string") throw refusal(responses, started.answer)
      receiver.answerInTurn(to, responses)
    },
    fetch: async (to, init) => {
      refuseFor(started.fetch)
      return fetch(to, init)
    },
    stop: () => (stopping ??= Effect.runPromise(Scope.close(scope, Exit.void))),
    [Symbol.asyncDispose]: () => started.stop()
  }
  return started
}
