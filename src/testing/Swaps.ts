import { type Clock, type DateTime, type Duration, Effect, Layer, Redacted } from "effect"
import type { FaultPlan } from "#domain/Fault"
import type { Dns } from "#platform/Dns"
import { Mailer } from "#platform/Mailer"
import { Outbound } from "#platform/Outbound"
import type { Signer } from "#platform/Signer"
import { failingMailer, failingOutbound } from "#server/FaultInjection"
import { mailboxMailer } from "#server/LocalMail"
import { layer as outboundHttp } from "#server/OutboundHttp"
import { layer as smtp } from "#server/Smtp"
import { Connections, type DatabaseTarget, layer as database } from "#sql/Database"
import type { DatabaseRefused } from "#sql/DatabaseRefused"
import type { FakeProviders } from "./FakeProviders.ts"
import type { Postbox } from "./Postbox.ts"
import type { Receiver } from "./Receiver.ts"
import type { TestOptions } from "./TestOptions.ts"

/** A clock controlled by tests, such as `VirtualClock`. */
export interface SettableClock extends Clock.Clock {
  /** Advances the clock without running anything that becomes due. */
  advance(by: Duration.Input): void
  /** Sets the clock to a time, unless that is in the past. */
  setTo(at: DateTime.Utc): void
}

/** Replacements for parts of the service. Parts without a replacement are as described in `TestOptions`. */
export interface Swaps {
  /** The service's clock, instead of its own `VirtualClock`. Several services can share a clock. */
  readonly clock?: SettableClock
  /** Sends emails, instead of `mail`. `inbox()` and `postbox` then stay empty. */
  readonly mailer?: Layer.Layer<Mailer>
  /**
   * Posts to webhooks and calls providers, instead of `outbound`. `receiver` then stays empty, and fake providers are not
   * available.
   */
  readonly outbound?: Layer.Layer<Outbound>
  /** Looks up the records of domains, instead of `setDns()`. */
  readonly dns?: Layer.Layer<Dns>
  /** Creates the keys that sign tokens, and signs with them. */
  readonly signer?: Layer.Layer<Signer>
  /** A migrated database, instead of `database` and `connections`. */
  readonly database?: Layer.Layer<Connections, DatabaseRefused>
}

/** The objects that capture emails, posts and calls to providers. */
interface Captured {
  readonly plan: FaultPlan
  readonly receiver: Receiver
  readonly postbox: Postbox
  readonly providers: FakeProviders
}

/**
 * The client for the service's posts and calls to providers. Calls to fake providers stay within the process. Posts are
 * captured even if they fail.
 */
export const outboundOf = (options: TestOptions, swaps: Swaps, { plan, receiver, providers }: Captured) => {
  if (swaps.outbound !== undefined) {
    return Layer.effect(Outbound, Effect.map(Outbound, failingOutbound(plan))).pipe(Layer.provide(swaps.outbound))
  }
  const allowPrivateTargets = options.allowPrivateTargets ?? true
  const http = outboundHttp({ allowPrivateTargets }, options.patience === undefined ? {} : { limit: options.patience })
  const withFakeProviders = Effect.map(Outbound, ({ post, request }) => {
    const outside = failingOutbound(plan)({
      post,
      request: (question) =>
        Effect.suspend(() => {
          const answer = providers.answer(question)
          return answer === undefined ? request(question) : Effect.promise(() => answer)
        })
    })
    return Outbound.of(options.outbound === "real" ? outside : { ...outside, post: receiver.outbound.post })
  })
  return Layer.effect(Outbound, withFakeProviders).pipe(Layer.provide(http))
}

/** The mailer for the service's emails. */
export const mailerOf = ({ mail = "captured" }: TestOptions, swaps: Swaps, { plan, postbox }: Captured) => {
  const inner =
    swaps.mailer ??
    (mail === "captured"
      ? Layer.succeed(Mailer, postbox.mailer)
      : mail === "mailbox"
        ? mailboxMailer
        : smtp({ url: Redacted.make(mail.smtpUrl), hostname: "id.example.test" }))
  return Layer.effect(Mailer, Effect.map(Mailer, failingMailer(plan))).pipe(Layer.provide(inner))
}

const targetOf = ({ database: target = { _tag: "Memory" } }: TestOptions): DatabaseTarget => {
  if (target._tag !== "Postgres") return target
  return { ...target, url: typeof target.url === "string" ? Redacted.make(target.url) : target.url }
}

/** The database of the service. */
export const databaseOf = (options: TestOptions, swaps: Swaps): Layer.Layer<Connections, DatabaseRefused> => {
  if (swaps.database !== undefined) return swaps.database
  return options.connections === undefined
    ? database(targetOf(options))
    : Layer.succeed(Connections, options.connections)
}
