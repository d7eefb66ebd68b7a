import { Clock, Context, DateTime, type Duration, Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import type { SqlClient } from "effect/sql/SqlClient"
import { Actors } from "#actors/Actors"
import { advance } from "#actors/Advance"
import { ApiKeys } from "#core/access/ApiKeys"
import { WellKnown, type WellKnownPresets } from "#core/external/providers/Presets"
import { EVENT_DAYS } from "#domain/EventRetention"
import type { Limited } from "#domain/Limit"
import { currentCost, trialCost } from "#domain/PasswordHash"
import { Mailer } from "#platform/Mailer"
import { Outbound } from "#platform/Outbound"
import { keeping, mailbox, mailboxRoutes } from "#server/LocalMail"
import { layer as outboundHttp } from "#server/OutboundHttp"
import { core, routes } from "#server/Sallyport"
import { layer as smtp } from "#server/Smtp"
import { telemetry } from "#server/Telemetry"
import { serve } from "#server/WebServer"
import { Connections, type DatabaseTarget, layer as database } from "#sql/Database"
import { Postbox } from "./Postbox.ts"
import { Receiver } from "./Receiver.ts"
import { VirtualClock } from "./VirtualClock.ts"

/** 2026-01-01T00:00:00Z: when a test begins unless it says otherwise. */
export const STARTS_AT = 1_767_225_600_000

/** What a test may choose of its service. */
export interface TestOptions {
  readonly database?: DatabaseTarget
  /** A database that is open already, in place of one of the service's own. */
  readonly connections?: Connections["Service"]
  readonly startsAt?: number
  readonly maxRealms?: number
  /** For how many days events are kept. */
  readonly eventRetentionDays?: number
  /** The port to listen on. Default: any that is free. */
  readonly port?: number
  /** Where callers are told that it is. Default: `https://id.example.test`, which nobody finds. */
  readonly publicUrl?: string
  readonly headerPrefix?: string
  /** What is limited. Default: only how many mails go to one recipient, since the clock stands still. */
  readonly limits?: Limited
  /** The proxies that are believed who calls. Default: none. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** Whether callers may name private addresses for the service to call. Default: true. */
  readonly allowPrivateTargets?: boolean
  /** Where what the service posts goes: to its receiver (the default), or out over HTTP. */
  readonly outbound?: "captured" | "real"
  /** What stands in the place of providers that are known by their type. */
  readonly providers?: Partial<WellKnownPresets>
  /** How long a provider may take to answer, in milliseconds. */
  readonly patience?: number
  /** Whether password hashes cost what they do in real life. Default: no, so that tests go on sooner. */
  readonly realHashes?: boolean
  /** The keys that encrypt secrets at rest, the first for new ones. */
  readonly secrets?: ReadonlyArray<string>
  /** The domains whose addresses hooks may send from. Default: any. */
  readonly mailFromDomains?: ReadonlyArray<string>
  /** Where its mails go: to its postbox (the default), to its own mailbox, or to a mail server. */
  readonly mail?: "captured" | "mailbox" | { readonly smtpUrl: string }
}

/** A whole Sallyport on a port of its own, with a clock that the test turns. */
export class TestSallyport extends Context.Service<
  TestSallyport,
  {
    readonly url: string
    /** A management key of level `admin_all_realms`. */
    readonly key: string
    readonly clock: VirtualClock
    /** Takes what the service posts, and answers. */
    readonly receiver: Receiver
    /** Takes the mails that the service sends. */
    readonly postbox: Postbox
    /** Turns the clock, and does in time order all that falls due on the way: how many things. */
    advance(by: Duration.Input): Effect.Effect<number>
    /** The database beneath, for who looks into it or breaks it. */
    readonly sql: SqlClient
    /** Connections beside those that answer requests, for who holds something against them. Embedded: the same session. */
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
          eventRetentionDays: options.eventRetentionDays ?? EVENT_DAYS.otherwise,
          limits: options.limits ?? "mails",
          trustedProxies: options.trustedProxies ?? [],
          allowPrivateTargets: options.allowPrivateTargets ?? true,
          hashCost: options.realHashes === true ? currentCost : trialCost,
          mailFrom: { address: "no-reply@id.example.test", name: null },
          mailFromDomains: options.mailFromDomains ?? ("any" as const),
          secrets: (options.secrets ?? ["test-secret-of-more-than-32-characters"]).map((text) => Redacted.make(text))
        }
        const wayOut = outboundHttp(settings, options.patience === undefined ? {} : { limit: options.patience })
        // People who log in elsewhere wait for the answer of that very provider: those questions go out.
        const { post } = receiver.outbound
        const captured = Layer.effect(
          Outbound,
          Effect.map(Outbound, ({ ask }) => Outbound.of({ post, ask }))
        )
        const outbound = options.outbound === "real" ? wayOut : captured.pipe(Layer.provide(wayOut))
        const presets = Layer.succeed(WellKnown, { ...WellKnown.defaultValue(), ...options.providers })
        const { mail = "captured" } = options
        const mailer =
          mail === "captured"
            ? Layer.succeed(Mailer, postbox.mailer)
            : mail === "mailbox"
              ? keeping
              : smtp({ url: Redacted.make(mail.smtpUrl), hostname: "id.example.test" })
        const doors = Layer.merge(
          routes({ ...settings, mailbox: mail === "mailbox" }),
          mail === "mailbox" ? mailboxRoutes(settings) : Layer.empty
        )
        const service = serve(doors, { ...settings, port: options.port ?? 0, host: "127.0.0.1" }).pipe(
          Layer.provideMerge(core(settings)),
          Layer.provide(Layer.mergeAll(outbound, mailer, presets)),
          Layer.provide(mailbox(settings)),
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
            const { fast: sql, slow: besideSql } = yield* Connections
            const actors = yield* Actors
            yield* (yield* ApiKeys).ensureRoot(Redacted.make(key))
            const port = address._tag === "UnixPathAddress" ? 0 : address.port
            return TestSallyport.of({
              url: `http://127.0.0.1:${port}`,
              key,
              clock,
              receiver,
              postbox,
              sql,
              besideSql,
              advance: (by) =>
                Effect.flatMap(DateTime.now, (now) =>
                  advance(actors, (at) => clock.setTo(at), DateTime.addDuration(now, by))
                ).pipe(Effect.provideService(Clock.Clock, clock))
            })
          })
        ).pipe(
          Layer.provide(service),
          // As in life without a collector: spans of everything would take most of the time.
          Layer.provide(Layer.merge(telemetry(undefined), Layer.succeed(Clock.Clock, clock)))
        )
      })
    )
}
