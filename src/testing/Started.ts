import { Context, type DateTime, Effect, Exit, Layer, Scope } from "effect"
import { type CreateRealm, Sallyport } from "#client/Client"
import type { ExternalType } from "#domain/AuthProvider"
import type { DnsFailure } from "#domain/DnsAnswer"
import { MAX_DNS_NAMES } from "#domain/DnsPlan"
import { canonicalEmail } from "#domain/Email"
import type { EventRecord } from "#domain/EventRecord"
import { type FaultKind, faultKinds, isFaultCount, isFaultKind, MAX_FAULTS } from "#domain/Fault"
import { type Answer, destinationOf, parseAnswers } from "./Answer.ts"
import { Browser } from "./Browser.ts"
import { callerError, inspectInline } from "./CallerError.ts"
import { parseRecords } from "./DnsRecords.ts"
import type { FakeProvider } from "./FakeProvider.ts"
import { optionsProblem } from "./OptionRules.ts"
import { createRealm, type TestRealm } from "./Realm.ts"
import type { ServiceFetch } from "./ServiceFetch.ts"
import { sharedKeyPair } from "./SharedKeyPair.ts"
import { parseStepWithUnit } from "./Step.ts"
import type { StartOptions, TestOptions } from "./TestOptions.ts"
import { TestSallyport } from "./TestSallyport.ts"

/** A captured email. `at`: the service's time in Unix milliseconds, like `now()`. */
export interface CapturedMail {
  readonly at: number
  readonly realmId: string
  /** The message id, without angle brackets. All attempts to send the email use the same one. */
  readonly messageId: string
  readonly from: { readonly address: string; readonly name: string | null }
  readonly to: string
  readonly subject: string
  readonly html: string | null
  readonly text: string | null
  /** The web links in the email, without duplicates. Links in the text come first. */
  readonly links: ReadonlyArray<string>
  /** The six-digit codes in the subject and the bodies, without duplicates. */
  readonly codes: ReadonlyArray<string>
}

/** A captured post to a webhook. `at`: the service's time in Unix milliseconds, like `now()`. */
export interface CapturedPost {
  readonly at: number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Unit = "second" | "minute" | "hour" | "day" | "week"

/**
 * A text such as `"30 days"`, an object such as `{ days: 30 }`, or 0. Other numbers are rejected, because they could be the
 * seconds of the API or the milliseconds of JavaScript (C287).
 */
export type Step =
  | 0
  | `${number} ${Unit | `${Unit}s`}`
  | {
      readonly weeks?: number
      readonly days?: number
      readonly hours?: number
      readonly minutes?: number
      readonly seconds?: number
      readonly milliseconds?: number
    }

const timed = <Captured extends { readonly at: DateTime.Utc }>(captured: Captured) => ({
  ...captured,
  at: captured.at.epochMilliseconds
})

/**
 * A complete service in this process, for tests that don't use Effect. After it has been stopped, only `stop` can be called.
 */
export interface Started extends AsyncDisposable {
  readonly url: string
  /** An API key of level `admin_all_realms`. */
  readonly key: string
  /** An SDK client with that key, for example `s.sallyport.realms.list()`. */
  readonly sallyport: Sallyport
  /** The service's time in Unix milliseconds. It only changes when it is advanced. */
  readonly now: () => number
  /**
   * Creates a realm for a test, with an API key and helpers for users, logins and apps. `settings` are members of `realm` in
   * `POST /v2/realms`. By default, the realm has a unique name and signs tokens with rs256, as in production. All realms of a
   * process share one RSA key pair, because generating a pair is slow, but each realm has its own key ID.
   */
  realm(settings?: Partial<CreateRealm>): Promise<TestRealm>
  /**
   * Fakes a social login provider from now on: `google`, `apple`, `microsoft`, `github`, `facebook`, `linkedin`, `slack`,
   * `yahoo`, or `oidc` and `oauth2` for all others. The service's requests to the provider are handled in this process. `fetch` and browsers can also reach it.
   * All realms share the fake provider.
   */
  provider(type: ExternalType): FakeProvider
  /** Creates a browser for the service's pages. It stores cookies, follows redirects, clicks links and submits forms. */
  browser(): Browser
  /**
   * Makes the next operations of a kind fail: `"mail"` (the mail server is down), `"webhook"` (destinations are unreachable),
   * `"provider"` (social login providers are unreachable) or `"database"` (requests get 503 and change nothing). `times` is
   * the number of failures, 0 to 1,000, and replaces any earlier number; default: 1. The failures have the same consequences
   * as in production.
   */
  failNext(what: FaultKind, times?: number): void
  /**
   * Sets the TXT records that the service finds for a name, such as the `txt` of a domain, instead of earlier ones: a text, a list
   * of texts, or `{ failure: "timeout" }`. All other names don't exist.
   */
  setDns(name: string, records: string | ReadonlyArray<string> | { readonly failure: DnsFailure }): void
  /**
   * Advances the clock by a text in seconds, minutes, hours, days or weeks (`"30 days"`) or by an object (`{
   * days: 30 }`), and runs everything that becomes due, in order. With 0, runs everything that is due now. Resolves to the
   * events that were recorded, in all realms, oldest first, like `POST /v2/test/clock`. Rejects without advancing the clock if
   * the duration is invalid or over 100 years.
   */
  advance(by: Step): Promise<ReadonlyArray<EventRecord>>
  /**
   * The emails sent so far, newest first, with their `links` and `codes`. `to` selects emails to this address, ignoring case.
   * Pending emails are sent when the clock is advanced, even by 0. Throws if the `mail` option sends emails elsewhere.
   */
  inbox(to?: string): ReadonlyArray<CapturedMail>
  /**
   * The posts to webhooks so far, oldest first. `destination` selects posts to this URL. Throws if the `outbound` option sends
   * them over HTTP.
   */
  deliveries(destination?: string | URL): ReadonlyArray<CapturedPost>
  /** Empties `inbox()` and `deliveries()`. Answers set with `answer` stay in effect. */
  clear(): void
  /**
   * Sets how a webhook's destination responds to the next posts, one answer after another. The last answer stays in effect.
   * Without answers, it responds with 200 again, as at the start.
   */
  answer(destination: string | URL, ...answers: ReadonlyArray<Answer>): void
  /** A `fetch` for pages and for links in emails. It reaches the hosts of apps, which don't exist in DNS. */
  readonly fetch: ServiceFetch
  /**
   * Stops the service. With `await using`, it stops automatically at the end of the block. A process that forgets to stop the
   * service still exits, unless the data is in PostgreSQL.
   */
  stop(): Promise<void>
}

/** Describes where emails are sent. Undefined if they are in `inbox()`. */
const mailDestination = ({ mail = "captured" }: TestOptions): string | undefined => {
  if (mail === "captured") return undefined
  return mail === "mailbox"
    ? "Emails go to /mailbox. Use GET /v2/test/messages."
    : "Emails go to the mail server set with the mail option."
}

const postsElsewhere = ({ outbound }: TestOptions): string | undefined =>
  outbound === "real" ? 'Webhooks are sent over HTTP, because the outbound option is "real".' : undefined

const build = Effect.fnUntraced(function* (options: TestOptions) {
  // Started first, because another thread generates the key pair while everything else is built.
  const signer = Layer.succeedContext(yield* Layer.build(sharedKeyPair))
  return Context.get(yield* Layer.build(TestSallyport.layer(options, { signer })), TestSallyport)
})

/**
 * Whether a service in this process has already created a realm. Creating the first realm is ten times slower, because code is
 * loaded and compiled.
 */
let isWarm = false

/** The number of realms created in advance as a rehearsal, so that the code is compiled. */
const REHEARSALS = 6

/** Starts a service. `refusal` makes the error for invalid options. */
export const startService = async (options: StartOptions, refusal: (message: string) => Error): Promise<Started> => {
  const problem = optionsProblem(options)
  if (problem !== undefined) throw refusal(problem)
  const scope = Scope.makeUnsafe()
  const service = await Effect.runPromise(Scope.provide(build(options), scope))
  const { url, key, clock, postbox, receiver, advanceForEvents, fetch, ...own } = service
  const place = { ...own, url, key, publicUrl: options.publicUrl ?? url }
  if (!isWarm && (options.database?._tag ?? "Memory") === "Memory") {
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

  /** Throws if there is a reason to reject the call, or if the service has been stopped. */
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
      const kinds = `Not something that can fail: ${inspectInline(what)}. Use ${faultKinds.map((kind) => `"${kind}"`).join(", ")}.`
      refuseFor(started.failNext, isFaultKind(what) ? undefined : kinds)
      const most = `Not a number of times: ${inspectInline(times)}. Use a whole number from 0 to ${MAX_FAULTS}.`
      refuseFor(started.failNext, isFaultCount(times) ? undefined : most)
      own.faults.failNext(what, times)
    },
    setDns: (name, sent) => {
      const isName = typeof name === "string" && name.trim() !== ""
      refuseFor(started.setDns, isName ? undefined : `Not a name in DNS: ${inspectInline(name)}.`)
      const entry = parseRecords(sent)
      if (typeof entry === "string") throw callerError(entry, started.setDns)
      if (!own.dns.set(name.trim(), entry.txt, entry.failure)) {
        throw callerError(`At most ${MAX_DNS_NAMES} names can be set.`, started.setDns)
      }
    },
    advance: async (by) => {
      refuseFor(started.advance, advancing ? "The clock is already being advanced. Await that call first." : undefined)
      const step = parseStepWithUnit(by)
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
      if (to === undefined) return postbox.mails.map(timed).toReversed()
      const isAddress = typeof to === "string" && canonicalEmail(to) !== undefined
      refuseFor(started.inbox, isAddress ? undefined : `Not an email address: ${inspectInline(to)}.`)
      return postbox.to(to).map(timed).toReversed()
    },
    deliveries: (destination) => {
      refuseFor(started.deliveries, postsElsewhere(options))
      if (destination === undefined) return receiver.posts.map(timed)
      const to = destinationOf(destination)
      refuseFor(started.deliveries, to === undefined ? `Not a webhook URL: ${inspectInline(destination)}.` : undefined)
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
      const responses = parseAnswers(answers)
      if (to === undefined) throw callerError(`Not a webhook URL: ${inspectInline(destination)}.`, started.answer)
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
