import { Effect, Layer } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { CurrentTransformer } from "effect/sql/Statement"
import type { FaultPlan } from "#domain/Fault"
import { Mailer, MailRefused } from "#platform/Mailer"
import { Outbound, OutboundFailed } from "#platform/Outbound"
import { CurrentRequestContext, type RequestContext } from "#platform/RequestContext"

const mailServerAway = new MailRefused({
  message: "The test made this email fail.",
  isFinal: false,
  isUnavailable: true
})

const unreachable = new OutboundFailed({ reason: "unreachable" })

const databaseAway = () =>
  new SqlError({ reason: new ConnectionError({ cause: new Error("The test made the database fail.") }) })

/** A mailer that fails when the plan says so, as if the mail server were unreachable. */
export const failingMailer =
  (plan: FaultPlan) =>
  ({ send, ...mailer }: Mailer["Service"]): Mailer["Service"] => ({
    ...mailer,
    send: (mail) => Effect.suspend(() => (plan.take("mail") ? Effect.fail(mailServerAway) : send(mail)))
  })

/** An outbound client that fails when the plan says so, as if webhooks or providers were unreachable. */
export const failingOutbound =
  (plan: FaultPlan) =>
  ({ post, request }: Outbound["Service"]): Outbound["Service"] => ({
    post: (sent) => Effect.suspend(() => (plan.take("webhook") ? Effect.fail(unreachable) : post(sent))),
    request: (sent) => Effect.suspend(() => (plan.take("provider") ? Effect.fail(unreachable) : request(sent)))
  })

/** A layer's mailer and outbound client, wrapped to fail when the plan says so. */
export const failingExternals = <E, R>(plan: FaultPlan, outside: Layer.Layer<Mailer | Outbound, E, R>) =>
  Layer.merge(
    Layer.effect(Mailer, Effect.map(Mailer, failingMailer(plan))),
    Layer.effect(Outbound, Effect.map(Outbound, failingOutbound(plan)))
  ).pipe(Layer.provide(outside))

/** Returns whether a request's statements never fail, which is true for the test endpoints and the readiness probe. */
const isExempt = ({ route = "" }: RequestContext): boolean => route.startsWith("/v2/test/") || route === "/readyz"

/**
 * Fails the statements of requests when the plan says so, as if the database were unreachable. One failure covers all
 * statements of a request. Background jobs are exempt, because it is unpredictable when they run.
 */
export const failingStatements = (plan: FaultPlan) => {
  const failing = new WeakSet<RequestContext>()
  return Layer.effect(
    CurrentTransformer,
    Effect.map(CurrentTransformer, (before) => (statement, sql, fiber, span) => {
      const request = fiber.getRef(CurrentRequestContext)
      const isRequest = request.requestId !== "" && !isExempt(request)
      if (isRequest && !failing.has(request) && plan.take("database")) failing.add(request)
      if (failing.has(request)) return Effect.die(databaseAway())
      return before === undefined ? Effect.succeed(statement) : before(statement, sql, fiber, span)
    })
  )
}
