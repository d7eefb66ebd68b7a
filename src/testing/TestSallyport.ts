import { Clock, Context, DateTime, type Duration, Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import type { SqlClient } from "effect/sql/SqlClient"
import { Actors } from "#actors/Actors"
import { advance } from "#actors/Advance"
import { ApiKeys } from "#core/access/ApiKeys"
import { WellKnown, type WellKnownPresets } from "#core/external/providers/Presets"
import { PasswordHasher } from "#core/passwords/PasswordHasher"
import { RETENTION_DAYS } from "#domain/EventRetention"
import type { LimitScope } from "#domain/Limit"
import { standardParams, testParams } from "#domain/PasswordHash"
import { withoutServices } from "#http/RequestServices"
import { Mailer } from "#platform/Mailer"
import { Outbound } from "#platform/Outbound"
import { mailbox, mailboxMailer, mailboxRoutes } from "#server/LocalMail"
import { layer as outboundHttp } from "#server/OutboundHttp"
import { core, routes } from "#server/Sallyport"
import { layer as smtp } from "#server/Smtp"
import { telemetry } from "#server/Telemetry"
import { handlerOf, webServer } from "#server/WebServer"
import { Connections, type DatabaseTarget, layer as database } from "#sql/Database"
import { Postbox } from "./Postbox.ts"
import { Receiver } from "./Receiver.ts"
import { inProcess, type Transport } from "./Transport.ts"
import { VirtualClock } from "./VirtualClock.ts"

/** 2026-01-01T00:00:00Z: the service's time at the start of a test by default. */
export const STARTS_AT = 1_767_225_600_000

/** The options of a service under test. */
export interface TestOptions {
  readonly database?: DatabaseTarget
  /** An open database to use, in place of one of the service's own. */
  readonly connections?: Connections["Service"]
  readonly startsAt?: number
  readonly maxRealms?: number
  /** For how many days events are kept. */
  readonly eventRetentionDays?: number
  /** The port to listen on. Default: any that is free. */
  readonly port?: number
  /** The public URL. Default: `https://id.example.test`, which resolves to nothing. */
  readonly publicUrl?: string
  readonly headerPrefix?: string
  /** The limits in force. Default: only that of mails to one recipient, because the clock stands still. */
  readonly limits?: LimitScope
  /** The proxies whose `X-Forwarded-For` is trusted. Default: none. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** Whether hooks and providers may have private addresses. Default: true. */
  readonly allowPrivateTargets?: boolean
  /** Where the service's posts go: to its receiver (the default), or out over HTTP. */
  readonly outbound?: "captured" | "real"
  /** Replacements for the endpoints of providers that are known by their type. */
  readonly providers?: Partial<WellKnownPresets>
  /** How long a provider may take to answer, in milliseconds. */
  readonly patience?: number
  /** Whether password hashes cost as much as in production. Default: false, which makes tests faster. */
  readonly realHashes?: boolean
  /** The keys that encrypt secrets at rest, the first for new ones. */
  readonly secrets?: ReadonlyArray<string>
  /** The domains whose addresses hooks may send from. Default: any. */
  readonly mailFromDomains?: ReadonlyArray<string>
  /** Where mails go: to the postbox (the default), to the service's local mailbox, or to a mail server. */
  readonly mail?: "captured" | "mailbox" | { readonly smtpUrl: string }
}

/** A complete service on a port of its own, with a clock that the test advances. */
export class TestSallyport extends Context.Service<
  TestSallyport,
  {
    readonly url: string
    /** Calls the service within this process, which takes less time than over HTTP. */
    readonly transport: Transport
    /** A management key of level `admin_all_realms`. */
    readonly key: string
    readonly clock: VirtualClock
    /** Captures the service's posts and answers them. */
    readonly receiver: Receiver
    /** Captures the service's mails. */
    readonly postbox: Postbox
    /** How many password hashes the service has computed. */
    hashCount(): number
    /** Advances the clock and does, in order, everything that falls due on the way. Returns how many items that was. */
    advance(by: Duration.Input): Effect.Effect<number>
    /** The service's database, for tests that look into it or break it. */
    readonly sql: SqlClient
    /** Other connections than those that serve requests, for tests that hold locks. Embedded: the same session. */
    readonly besideSql: SqlClient
  }
>()("sallyport/testing/TestSallyport") {
  static readonly layer = (options: TestOptions = {}) =>
    Layer.unwrap(
      Effect.map(Clock.Clock, (real) => {
        const clock = new VirtualClock(real, options.startsAt ?? STARTS_AT)
        const receiver = new Receiver()
        const postbox = new Postbox()
        const key = "test-root-key-of-more-than-32-characters"
        const settings = {
          publicUrl: options.publicUrl ?? "https://id.example.test",
          loginDomain: "localhost",
          region: "local",
          issuer: undefined,
          headerPrefix: options.headerPrefix ?? "X-Service",
          maxRealms: options.maxRealms ?? 1_000_000,
          eventRetentionDays: options.eventRetentionDays ?? RETENTION_DAYS.otherwise,
          limits: options.limits ?? "mails",
          trustedProxies: options.trustedProxies ?? [],
          allowPrivateTargets: options.allowPrivateTargets ?? true,
          hashCost: options.realHashes === true ? standardParams : testParams,
          mailFrom: { address: "no-reply@id.example.test", name: null },
          mailFromDomains: options.mailFromDomains ?? ("any" as const),
          secrets: (options.secrets ?? ["test-secret-of-more-than-32-characters"]).map((text) => Redacted.make(text))
        }
        const http = outboundHttp(settings, options.patience === undefined ? {} : { limit: options.patience })
        // Logins at an external provider need that provider's own answers: questions are sent over HTTP.
        const { post } = receiver.outbound
        const captured = Layer.effect(
          Outbound,
          Effect.map(Outbound, ({ request }) => Outbound.of({ post, request }))
        )
        const outbound = options.outbound === "real" ? http : captured.pipe(Layer.provide(http))
        const presets = Layer.succeed(WellKnown, { ...WellKnown.defaultValue(), ...options.providers })
        const { mail = "captured" } = options
        const mailer =
          mail === "captured"
            ? Layer.succeed(Mailer, postbox.mailer)
            : mail === "mailbox"
              ? mailboxMailer
              : smtp({ url: Redacted.make(mail.smtpUrl), hostname: "id.example.test" })
        const surfaces = Layer.merge(
          routes({ ...settings, mailbox: mail === "mailbox" }),
          mail === "mailbox" ? mailboxRoutes(settings) : Layer.empty
        )
        const service = webServer({ ...settings, port: options.port ?? 0, host: "127.0.0.1" }).pipe(
          Layer.provideMerge(core(settings)),
          Layer.provide(Layer.mergeAll(outbound, mailer, presets)),
          Layer.provideMerge(mailbox(settings)),
          Layer.provideMerge(
            options.connections === undefined
              ? database(options.database ?? { _tag: "Memory" })
              : Layer.succeed(Connections, options.connections)
          )
        )
        return Layer.effect(
          TestSallyport,
          Effect.gen(function* () {
            const { address } = yield* HttpServer.HttpServer
            const handler = yield* handlerOf(surfaces)
            yield* withoutServices(HttpServer.serveEffect(handler))
            const { fast: sql, slow: besideSql } = yield* Connections
            const actors = yield* Actors
            const passwords = yield* PasswordHasher
            yield* (yield* ApiKeys).ensureRoot(Redacted.make(key))
            const port = address._tag === "UnixPathAddress" ? 0 : address.port
            const url = `http://127.0.0.1:${port}`
            return TestSallyport.of({
              url,
              transport: inProcess(url, handler, yield* withoutServices(Effect.context())),
              key,
              clock,
              receiver,
              postbox,
              sql,
              besideSql,
              hashCount: () => passwords.hashCount,
              advance: (by) =>
                Effect.flatMap(DateTime.now, (now) =>
                  advance(actors, (at) => clock.setTo(at), DateTime.addDuration(now, by))
                ).pipe(Effect.provideService(Clock.Clock, clock))
            })
          })
        ).pipe(
          Layer.provide(service),
          // Without a collector, as in production: tracing everything would take most of the time.
          Layer.provide(Layer.merge(telemetry(undefined), Layer.succeed(Clock.Clock, clock)))
        )
      })
    )
}
