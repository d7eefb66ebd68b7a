import { Context, type DateTime, type Duration, Effect, Exit, Layer, Scope } from "effect"
import { type CreateRealm, Sallyport } from "#client/Client"
import type { ExternalType } from "#domain/AuthProvider"
import { canonicalEmail } from "#domain/Email"
import type { EventRecord } from "#domain/EventRecord"
import { type FaultKind, faultKinds, isFaultCount, isFaultKind, MAX_FAULTS } from "#domain/Fault"
import { type Answer, destinationOf, readAnswers } from "./Answer.ts"
import { Browser } from "./Browser.ts"
import { callerError, inspected } from "./CallerError.ts"
import type { FakeProvider } from "./FakeProvider.ts"
import { optionsProblem } from "./OptionRules.ts"
import type { PostedMail } from "./Postbox.ts"
import { createRealm, type TestRealm } from "./Realm.ts"
import type { ReceivedPost } from "./Receiver.ts"
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

/** A captured item with the service's time at that moment, in Unix milliseconds like `now()`. */
type Timed<Captured extends { readonly at: DateTime.Utc }> = Omit<Captured, "at"> & { readonly at: number }

const timed = <Captured extends { readonly at: DateTime.Utc }>(captured: Captured): Timed<Captured> => ({
  ...captured,
  at: captured.at.epochMilliseconds
})

/** A complete service in this process, for tests that don't use Effect. Once it is stopped, only `stop` can be called. */
export interface Started extends AsyncDisposable {
  readonly url: string
  /** An API key of level `admin_all_realms`. */
  readonly key: string
  /** An SDK client with that key: `s.sallyport.realms.list()`. */
  readonly sallyport: Sallyport
  /** The service's time in Unix milliseconds. It doesn't move until it is advanced. */
  readonly now: () => number
  /**
   * Creates a realm for a test, with an API key and helpers for users, logins and apps. `settings`: members of `realm` as
   * in `POST /v2/realms`. Default: a unique name, and tokens signed with rs256, as in production. All realms of a process
   * share one RSA key pair, because generating one is slow; each has its own key ID.
   */
  realm(settings?: Partial<CreateRealm>): Promise<TestRealm>
  /**
   * Fakes a social login provider from now on: `google`, `github`, `facebook`, `linkedin`, `slack`, `yahoo`, or `oauth2`
   * for any other. The service's requests to it are handled in this process, and `fetch` and browsers reach it, too. All
   * realms share it.
   */
  provider(type: ExternalType): FakeProvider
  /** A new browser for the service's pages: it stores cookies, follows redirects, clicks links and submits forms. */
  browser(): Browser
  /**
   * Makes something fail the next times: `"mail"` (the mail server is down), `"webhook"` (destinations are unreachable),
   * `"provider"` (social login providers are unreachable) or `"database"` (requests get 503 and change nothing). `times`: 0
   * to 1,000, replacing an earlier value; default: 1. The consequences are the same as in production.
   */
  failNext(what: FaultKind, times?: number): void
  /**
   * Advances the clock by milliseconds, by text in seconds, minutes, hours, days or weeks (`"30 days"`) or by an object (`{
   * days: 30 }`), and runs everything that becomes due, in order; with 0, what is due now. Resolves to the events of all
   * realms that happened, oldest first, like `POST /v2/test/clock`. Rejects without moving the clock if the duration is
   * invalid or over 100 years.
   */
  advance(by: Duration.Input): Promise<ReadonlyArray<EventRecord>>
  /**
   * The emails sent so far, oldest first, each with its `links` and `codes`. `to`: only those to this address, ignoring
   * case. Pending emails are sent when the clock is advanced, even by 0. Throws if the option `mail` sends them elsewhere.
   */
  inbox(to?: string): ReadonlyArray<Timed<PostedMail>>
  /**
   * The posts to webhooks so far, oldest first. `destination`: only those to this URL. Throws if the option `outbound`
   * sends them over HTTP.
   */
  deliveries(destination?: string | URL): ReadonlyArray<Timed<ReceivedPost>>
  /** Empties `inbox()` and `deliveries()`. Answers set with `answer` stay. */
  clear(): void
  /**
   * Sets how a webhook's destination responds to the next posts, one answer after another; the last one stays in effect.
   * None: 200 again, as at the start.
   */
  answer(destination: string | URL, ...answers: ReadonlyArray<Answer>): void
  /** `fetch` for links in emails and for pages. It reaches the apps' hosts, which DNS doesn't know. */
  readonly fetch: ServiceFetch
  /**
   * Stops the service; `await using` does it at the end of its block. A process that forgets to stop it still exits, unless
   * the data is in PostgreSQL.
   */
  stop(): Promise<void>
}

/** Where emails go if not to `inbox()`. */
const mailDestination = ({ mail = "captured" }: TestOptions): string | undefined => {
  if (mail === "captured") return undefined
  return mail === "mailbox"
    ? "Emails go to /mailbox. Use GET /v2/test/messages."
    : "Emails go to the mail server set with the mail option."
}

const postsElsewhere = ({ outbound }: TestOptions): string | undefined =>
  outbound === "real" ? 'Webhooks are sent over HTTP, because the outbound option is "real".' : undefined

const build = Effect.fnUntraced(function* (options: TestOptions) {
  // First, because another thread generates the key pair while everything else is built.
  const signer = Layer.succeedContext(yield* Layer.build(sharedKeyPair))
  return Context.get(yield* Layer.build(TestSallyport.layer(options, { signer })), TestSallyport)
})

/**
 * Whether a service of this process has created a realm. The first one is ten times slower, because code is loaded and
 * compiled.
 */
let isWarm = false

/** How many realms are created as a rehearsal, because the code is compiled with the first ones. */
const REHEARSALS = 6

/** Starts a service on its own port, by default with an in-memory database. */
export const start = async (options: TestOptions = {}): Promise<Started> => {
  const problem = optionsProblem(options)
  if (problem !== undefined) throw callerError(problem, start)
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

  /** Throws if there is a reason to reject the call, or if the service was stopped. */
  const refuseFor = (called: (...args: ReadonlyArray<never>) => unknown, reason?: string): void => {
    const message = stopping === undefined ? reason : "The service was stopped."
    if (message !== undefined) throw callerError(message, called)
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
      const kinds = `Not something that can fail: ${inspected(what)}. Use ${faultKinds.map((kind) => `"${kind}"`).join(", ")}.`
      refuseFor(started.failNext, isFaultKind(what) ? undefined : kinds)
      const most = `Not a number of times: ${inspected(times)}. Use a whole number from 0 to ${MAX_FAULTS}.`
      refuseFor(started.failNext, isFaultCount(times) ? undefined : most)
      own.faults.failNext(what, times)
    },
    advance: async (by) => {
      refuseFor(started.advance, advancing ? "The clock is already being advanced. Await that call first." : undefined)
      const step = readStep(by)
      if (typeof step !== "number") throw callerError(step.message, started.advance)
      advancing = true
      try {
        return await Effect.runPromise(advanceForEvents(step))
      } finally {
        advancing = false
      }
    },
    inbox: (to) => {
      refuseFor(started.inbox, mailDestination(options))
      if (to === undefined) return postbox.mails.map(timed)
      const isAddress = typeof to === "string" && canonicalEmail(to) !== undefined
      refuseFor(started.inbox, isAddress ? undefined : `Not an email address: ${inspected(to)}.`)
      return postbox.to(to).map(timed)
    },
    deliveries: (destination) => {
      refuseFor(started.deliveries, postsElsewhere(options))
      if (destination === undefined) return receiver.posts.map(timed)
      const to = destinationOf(destination)
      refuseFor(started.deliveries, to === undefined ? `Not a webhook URL: ${inspected(destination)}.` : undefined)
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
      if (to === undefined) throw callerError(`Not a webhook URL: ${inspected(destination)}.`, started.answer)
      if (typeof responses === "string") throw callerError(responses, started.answer)
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
