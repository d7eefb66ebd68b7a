import { Clock, Context, Data, DateTime, type Duration, Effect, Layer, Logger, Redacted } from "effect"
import { HttpServer } from "effect/http"
import type { SqlClient } from "effect/sql/SqlClient"
import { Actors } from "#actors/Actors"
import { advance } from "#actors/Advance"
import { ApiKeys } from "#core/access/ApiKeys"
import { Journal } from "#core/events/Journal"
import { WellKnown } from "#core/external/providers/Presets"
import { PasswordHasher } from "#core/passwords/PasswordHasher"
import { DnsPlan } from "#domain/DnsPlan"
import { type EventRecord, eventRecord } from "#domain/EventRecord"
import { RETENTION_DAYS } from "#domain/EventRetention"
import { FaultPlan } from "#domain/Fault"
import { standardParams, testParams } from "#domain/PasswordHash"
import { AbsentAddresses } from "#http/AbsentAddresses"
import { withoutServices } from "#http/RequestServices"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { randomSecret } from "#platform/Tokens"
import { failingStatements } from "#server/FaultInjection"
import { mailbox, mailboxRoutes } from "#server/LocalMail"
import { core, routes } from "#server/Sallyport"
import { telemetry } from "#server/Telemetry"
import { plannedDns } from "#server/TestMode"
import { handlerOf, webServer } from "#server/WebServer"
import { Connections } from "#sql/Database"
import { FakeProviders } from "./FakeProviders.ts"
import { keepAlive } from "./KeepAlive.ts"
import { requireValid } from "./OptionRules.ts"
import { Postbox } from "./Postbox.ts"
import { presetsWith } from "./ProviderPresets.ts"
import { Receiver } from "./Receiver.ts"
import { type ServiceFetch, serviceFetch } from "./ServiceFetch.ts"
import { sharedMailThread } from "./SharedMailThread.ts"
import { startOf } from "./StartTime.ts"
import { type AdvanceRefused, parseStepOrFail } from "./Step.ts"
import { databaseOf, mailerOf, outboundOf, type SettableClock, type Swaps } from "./Swaps.ts"
import type { TestOptions } from "./TestOptions.ts"
import { inProcess, type Transport } from "./Transport.ts"
import { VirtualClock } from "./VirtualClock.ts"

// This file is the package's `./testing` entry point.
export { DnsPlan } from "#domain/DnsPlan"
export { FaultPlan } from "#domain/Fault"
export { Dns } from "#platform/Dns"
export { Mailer, MailRefused } from "#platform/Mailer"
export { Outbound, OutboundFailed } from "#platform/Outbound"
export { Signer } from "#platform/Signer"
export { Connections } from "#sql/Database"
export { Authenticator, type AuthenticatorOptions, type Ceremony, type Passkey } from "./Authenticator.ts"
export type { SettableClock, Swaps } from "./Swaps.ts"
export { STARTS_AT, type TestOptions } from "./TestOptions.ts"
export { VirtualClock } from "./VirtualClock.ts"
export type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions
} from "./WebAuthnJson.ts"

/** The host on which the service listens. */
const HOST = "127.0.0.1"

/** The parent domain of the connected apps' hosts (C40). */
const LOGIN_DOMAIN = "localhost"
const REGION = "local"

/** The settings of a service under test. `url` is the service's own URL. */
const settingsOf = (options: TestOptions, url: string) => ({
  publicUrl: options.publicUrl?.replace(/\/+$/, "") ?? url,
  loginDomain: LOGIN_DOMAIN,
  region: REGION,
  issuer: undefined,
  headerPrefix: options.headerPrefix ?? "X-Service",
  maxRealms: options.maxRealms ?? 1_000_000,
  eventRetentionDays: options.eventRetentionDays ?? RETENTION_DAYS.otherwise,
  limits: options.limits ?? ("mails" as const),
  trustedProxies: options.trustedProxies ?? [],
  allowPrivateTargets: options.allowPrivateTargets ?? true,
  breachedPasswordsUrl: options.breachedPasswordsUrl,
  hashCost: options.realHashes === true ? standardParams : testParams,
  mailFrom: { address: "no-reply@id.example.test", name: null },
  mailFromDomains: options.mailFromDomains ?? ("any" as const),
  delivers: true,
  console: options.console ?? true,
  consoleKeys: options.consoleKeys ?? true,
  secrets: (options.secrets ?? ["test-secret-of-more-than-32-characters"]).map((text) => Redacted.make(text))
})

const surfacesOf = ({ mail = "captured" }: TestOptions, settings: ReturnType<typeof settingsOf>) => {
  const isMailbox = mail === "mailbox"
  const absent: AbsentAddresses = {
    "/v2/test/clock": "clock_of_kit",
    "/v2/test/dns": "dns_of_kit",
    "/v2/test/faults": "faults_of_kit",
    "/v2/test/messages": mail === "captured" ? "inbox_of_kit" : "no_mailbox"
  }
  return Layer.merge(
    routes({ ...settings, mailbox: isMailbox, testMode: false }),
    isMailbox ? mailboxRoutes(settings) : Layer.empty
  ).pipe(Layer.provide(Layer.succeed(AbsentAddresses, absent)))
}

/** The loggers of the service under test: the surrounding loggers, or none to avoid noise in the test output. */
const loggersOf = ({ logs = false }: TestOptions) => (logs ? Layer.empty : Logger.layer([]))

/** The service can't listen on its port. `message` contains the reason. */
export class CannotListen extends Data.TaggedError("CannotListen")<{ readonly message: string }> {}

const listening = ({ port = 0, publicUrl = `http://${HOST}` }: TestOptions) =>
  webServer({ port, host: HOST, publicUrl, loginDomain: LOGIN_DOMAIN, region: REGION, keepsAlive: false }).pipe(
    Layer.catchTag("ServeError", ({ cause }) => {
      const isTaken = cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE"
      const message = isTaken
        ? `Port ${port} is in use. Omit the port option to use any free port.`
        : `The service can't listen on port ${port}: ${String(cause)}`
      return Layer.effectContext(Effect.fail(new CannotListen({ message })))
    })
  )

/** A complete service with its own port and a clock controlled by the test. */
export class TestSallyport extends Context.Service<
  TestSallyport,
  {
    readonly url: string
    /** Calls the service within this process, which is faster than HTTP. */
    readonly transport: Transport
    /** A `fetch` for pages and for links in emails. It reaches the hosts of apps, which don't exist in DNS. */
    readonly fetch: ServiceFetch
    /** Returns whether `fetch` handles a URL within this process, because it belongs to the service or to a fake provider. */
    readonly isInside: (url: URL) => boolean
    /** An API key of level `admin_all_realms`. */
    readonly key: string
    readonly clock: SettableClock
    /** Captures the service's posts and responds to them. */
    readonly receiver: Receiver
    /** Captures the service's emails. */
    readonly postbox: Postbox
    /** The fake providers for social login. */
    readonly providers: FakeProviders
    /** Simulates failures: `faults.failNext("mail", 2)`. */
    readonly faults: FaultPlan
    /** The DNS records that the service finds: `dns.set("_sallyport.example.com", ["…"])`. All other names don't exist. */
    readonly dns: DnsPlan
    /** The number of password hashes that the service has computed. */
    hashCount(): number
    /** Advances the clock, and runs everything that becomes due, in order. Returns the number of items that were run. */
    advance(by: Duration.Input): Effect.Effect<number, AdvanceRefused>
    /** Advances the clock like `advance`. Returns the events that were recorded, in all realms, oldest first. */
    advanceForEvents(by: Duration.Input): Effect.Effect<ReadonlyArray<EventRecord>, AdvanceRefused>
    /**
     * Makes calls in a transaction that is rolled back, so that they leave no rows or events. `calls` gets a temporary key of
     * level `admin_all_realms`.
     */
    rehearse(calls: (transport: Transport, key: string) => Promise<unknown>): Effect.Effect<void>
    /** The service's database, for tests that inspect or damage it. */
    readonly sql: SqlClient
    /**
     * Separate database connections, for tests that hold locks. With the embedded database, they use the same session as the
     * service.
     */
    readonly otherSql: SqlClient
  }
>()("sallyport/testing/TestSallyport") {
  /**
   * A service under test. `options` are the options of `start` in `sallyport/testing/promise`. `swaps` replace its clock,
   * mailer, outbound client, signer or database. Fails with `OptionsRefused`, `CannotListen` or `DatabaseRefused`.
   */
  static readonly layer = (options: TestOptions = {}, swaps: Swaps = {}) =>
    Layer.unwrap(
      Effect.gen(function* () {
        yield* requireValid(options)
        const real = yield* Clock.Clock
        const clock = swaps.clock ?? new VirtualClock(real, startOf(options.startsAt) ?? real.currentTimeMillisUnsafe())
        const faults = new FaultPlan()
        const dns = new DnsPlan()
        const presets = presetsWith(options.providers)
        const captured = {
          plan: faults,
          receiver: new Receiver(faults),
          postbox: new Postbox(),
          providers: new FakeProviders(presets, () => clock.currentTimeMillisUnsafe())
        }
        const { receiver, postbox, providers } = captured
        const key = "test-root-key-of-more-than-32-characters"
        const handedOut = (url: string, settings: ReturnType<typeof settingsOf>) =>
          Effect.gen(function* () {
            const handler = yield* handlerOf(surfacesOf(options, settings))
            yield* withoutServices(HttpServer.serveEffect(handler))
            const { fast: sql, slow: otherSql } = yield* Connections
            const actors = yield* Actors
            const passwords = yield* PasswordHasher
            const journal = yield* Journal
            const ids = yield* IdGenerator
            const apiKeys = yield* ApiKeys
            const entropy = yield* Entropy
            yield* apiKeys.ensureRoot(Redacted.make(key))
            const { publicUrl } = settings
            const hosts = { url, publicUrl, appsDomain: `${REGION}.${LOGIN_DOMAIN}`, providers }
            const fetcher = yield* Effect.acquireRelease(
              Effect.sync(() => serviceFetch(hosts)),
              ({ close }) => Effect.promise(close)
            )
            const loggers = yield* Logger.CurrentLoggers
            /** Runs an effect with the service's clock and log. */
            const inService = <A, E>(effect: Effect.Effect<A, E>) =>
              keepAlive(effect).pipe(
                Effect.provideService(Clock.Clock, clock),
                Effect.provideService(Logger.CurrentLoggers, loggers)
              )
            const advanceBy = Effect.fnUntraced(function* (by: Duration.Input) {
              const milliseconds = yield* parseStepOrFail(by)
              const to = DateTime.add(yield* DateTime.now, { milliseconds })
              return yield* advance(actors, (at) => clock.setTo(at), to)
            })
            const context = yield* withoutServices(Effect.context())
            const rehearse = Effect.fnUntraced(function* (
              calls: (transport: Transport, key: string) => Promise<unknown>
            ) {
              const ownKey = randomSecret(entropy)
              yield* apiKeys.ensureRoot(Redacted.make(ownKey))
              const within = Context.merge(context, yield* Effect.context())
              const transport = inProcess(url, handler, Context.add(within, Logger.CurrentLoggers, new Set()))
              yield* Effect.tryPromise(() => calls(transport, ownKey))
              return yield* Effect.fail("rolled back")
            })
            return TestSallyport.of({
              url,
              fetch: fetcher.send,
              isInside: fetcher.isInside,
              transport: inProcess(url, handler, context),
              key,
              clock,
              receiver,
              postbox,
              providers,
              faults,
              dns,
              sql,
              otherSql,
              hashCount: () => passwords.hashCount,
              rehearse: (calls) => inService(Effect.ignore(sql.withTransaction(rehearse(calls)))),
              advance: (by) => inService(advanceBy(by)),
              advanceForEvents: (by) =>
                Effect.gen(function* () {
                  const before = yield* ids.make("event")
                  yield* advanceBy(by)
                  return (yield* journal.since(before)).map((event) => eventRecord(event, "v2", true))
                }).pipe(inService)
            })
          })
        // The server must listen first, because links in emails and the issuer of tokens contain its port.
        const service = Effect.map(HttpServer.HttpServer, ({ address }) => {
          const url = `http://${HOST}:${address._tag === "UnixPathAddress" ? 0 : address.port}`
          const settings = settingsOf(options, url)
          const outside = Layer.mergeAll(
            outboundOf(options, swaps, captured),
            mailerOf(options, swaps, captured),
            swaps.dns ?? plannedDns(dns),
            Layer.succeed(WellKnown, presets)
          )
          return Layer.effect(TestSallyport, handedOut(url, settings)).pipe(
            Layer.provide(Entropy.layer),
            Layer.provide(
              core(settings, { signer: swaps.signer, renderer: sharedMailThread }).pipe(
                Layer.provide(outside),
                Layer.provideMerge(mailbox(settings)),
                Layer.provideMerge(databaseOf(options, swaps)),
                Layer.provideMerge(failingStatements(faults))
              )
            )
          )
        })
        return Layer.unwrap(service).pipe(
          Layer.provide(listening(options)),
          // There is no trace collector, as in production by default. Tracing everything would take most of the time.
          Layer.provide(Layer.mergeAll(telemetry(undefined), loggersOf(options), Layer.succeed(Clock.Clock, clock)))
        )
      })
    )
}
