import { Context, type DateTime, type Duration, Effect, Exit, Layer, Scope } from "effect"
import { type CreateRealm, Sallyport } from "#client/Client"
import type { ExternalType } from "#domain/AuthProvider"
import { canonicalEmail } from "#domain/Email"
import type { EventRecord } from "#domain/EventRecord"
import { type FaultKind, faultKinds, isFaultCount, isFaultKind, MAX_FAULTS } from "#domain/Fault"
import { type Answer, destinationOf, readAnswers } from "./Answer.ts"
import { Browser } from "./Browser.ts"
import type { FakeProvider } from "./FakeProvider.ts"
import { optionsProblem } from "./OptionRules.ts"
import type { PostedMail } from "./Postbox.ts"
import { createRealm, type TestRealm } from "./Realm.ts"
import type { ReceivedPost } from "./Receiver.ts"
import { refusal, shown } from "./Refusal.ts"
import type { ServiceFetch } from "./ServiceFetch.ts"
import { sharedKeyPair } from "./SharedKeyPair.ts"
import { readStep } from "./Step.ts"
import type { TestOptions } from "./TestOptions.ts"
import { TestSallyport } from "./TestSallyport.ts"

export { Authenticator, type AuthenticatorOptions, type Ceremony, type Passkey } from "./Authenticator.ts"
export type { Browser, Page } from "./Browser.ts"
export type { FakeProvider, Person, ProviderFailure } from "./FakeProvider.ts"
export type { TestApp, TestLogin, TestRealm } from "./Realm.ts"
export type { TestOptions } from "./TestOptions.ts"
export type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions
} from "./WebAuthnJson.ts"

/** Anything with the service's time at that moment, in Unix milliseconds like `now()`. */
type Timed<Captured extends { readonly at: DateTime.Utc }> = Omit<Captured, "at"> & { readonly at: number }

const timed = <Captured extends { readonly at: DateTime.Utc }>(captured: Captured): Timed<Captured> => ({
  ...captured,
  at: captured.at.epochMilliseconds
})

/** A complete service in this process, for tests that do not use Effect. Once it is stopped, only `stop` can be called. */
export interface Started extends AsyncDisposable {
  readonly url: string
  /** An API key of level `admin_all_realms`. */
  readonly key: string
  /** The SDK's client with that key: `s.sallyport.realms.list()`. */
  readonly sallyport: Sallyport
  /** The service's time in Unix milliseconds. It stands still until it is advanced. */
  readonly now: () => number
  /**
   * Creates a realm of its own for a test, with a key and with short ways to users, logins and apps. `settings`: members of
   * `realm` as in `POST /v2/realms`. Default: a new name, and tokens signed with rs256, as in production. All realms of a
   * process share one RSA key pair, since making one takes long; each knows it by an ID of its own.
   */
  realm(settings?: Partial<CreateRealm>): Promise<TestRealm>
  /**
   * Plays a provider for social login, from now on: `google`, `github`, `facebook`, `linkedin`, `slack`, `yahoo`, or `oauth2`
   * for any other. The service's requests to it are answered within this process, and `fetch` and browsers get there, too. All
   * realms share it.
   */
  provider(type: ExternalType): FakeProvider
  /** A browser of its own for the pages of the service: it keeps cookies, follows redirects, clicks links and sends forms. */
  browser(): Browser
  /**
   * Lets something fail the next times: `"mail"` (the mail server is away), `"webhook"` (no destination can be reached),
   * `"provider"` (no provider for social login can be reached) or `"database"` (the next requests get 503 and change nothing).
   * `times`: 0 to 1,000, in place of what was set before; default: 1. What follows is what follows in production.
   */
  failNext(what: FaultKind, times?: number): void
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
  /**
   * Stops the service. `await using` does it at the end of its block. A process that forgets it ends all the same, unless the
   * data is in PostgreSQL.
   */
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

const build = Effect.fnUntraced(function* (options: TestOptions) {
  // First, as another thread makes the key pair while everything else is built.
  const signer = Layer.succeedContext(yield* Layer.build(sharedKeyPair))
  return Context.get(yield* Layer.build(TestSallyport.layer(options, { signer })), TestSallyport)
})

/** Whether a service of this process has made a realm. Without what it loads and compiles, the next ones take a tenth of the time. */
let isWarm = false

/** How many realms are tried out: the first ones of a process are compiled while they are made. */
const REHEARSALS = 6

/** Starts a service on a port of its own, with a database in memory unless the options have another. */
export const start = async (options: TestOptions = {}): Promise<Started> => {
  const problem = optionsProblem(options)
  if (problem !== undefined) throw refusal(problem, start)
  const scope = Scope.makeUnsafe()
  const service = await Effect.runPromise(Scope.provide(build(options), scope))
  const { url, key, clock, postbox, receiver, advanceForEvents, fetch, ...own } = service
  const place = { ...own, url, key, publicUrl: options.publicUrl ?? url }
  if (!isWarm && options.connections === undefined && (options.database?._tag ?? "Memory") === "Memory") {
    isWarm = true
    await Effect.runPromise(
      own.rehearse(async (transport, key) => {
        for (let count = 0; count < REHEARSALS; count++)
          await createRealm({ ...place, transport, key }, { name: "Rehearsal" })
      })
    )
  }
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
    sallyport: new Sallyport({ url, key }),
    now: () => {
      refuseFor(started.now)
      return clock.currentTimeMillisUnsafe()
    },
    realm: async (settings = {}) => {
      refuseFor(started.realm)
      return createRealm(place, settings)
    },
    provider: (type) => {
      refuseFor(started.provider)
      return own.providers.of(type)
    },
    browser: () => {
      refuseFor(started.browser)
      return new Browser(started.fetch, own.isInside)
    },
    failNext: (what, times = 1) => {
      const kinds = `Not what can fail: ${shown(what)}. Take ${faultKinds.map((kind) => `"${kind}"`).join(", ")}.`
      refuseFor(started.failNext, isFaultKind(what) ? undefined : kinds)
      const most = `Not a number of times: ${shown(times)}. Take a whole number from 0 to ${MAX_FAULTS}.`
      refuseFor(started.failNext, isFaultCount(times) ? undefined : most)
      own.faults.failNext(what, times)
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
