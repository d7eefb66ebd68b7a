import { Context, DateTime, Effect, Layer, Semaphore } from "effect"
import type { EmailHook } from "#domain/AppHook"
import { type AttemptResult, type Delivery, nextMailAllowedAt } from "#domain/Delivery"
import { deliveryResults } from "#domain/DeliveryResult"
import { carriesToken, type EventWithToken } from "#domain/Event"
import { type LimitScope, limitOf } from "#domain/Limit"
import type { MailUnrenderable, RenderFailure, RenderingBusy } from "#domain/MailTemplate"
import type { Realm } from "#domain/Realm"
import { DeliveriesRepo } from "#store/hooks/DeliveriesRepo"
import { RealmsRepo } from "#store/realms/RealmsRepo"
import { isNotice, MailContents } from "./MailContents.ts"
import { MailLinks } from "./MailLinks.ts"
import { mailSender } from "./MailSender.ts"

/** The delivery result for a template that can't be rendered. */
const unrenderable: Readonly<Record<RenderFailure, string>> = {
  slow: deliveryResults.template_slow,
  nested: deliveryResults.template_nested,
  long: deliveryResults.template_long
}

const skip = (result: string): AttemptResult => ({ outcome: { _tag: "Skipped", result }, destination: null })

/** Sends the emails of email hooks (C38). */
export class HookMails extends Context.Service<
  HookMails,
  {
    /** Makes one attempt to send a hook's email for an event. Skips the event if it has no recipient. */
    send(hook: EmailHook, delivery: Delivery, event: EventWithToken): Effect.Effect<AttemptResult>
  }
>()("sallyport/core/HookMails") {
  /** `limits` is `nothing` to disable the limits on emails per recipient. */
  static readonly layer = (options: { readonly limits: LimitScope }) =>
    Layer.effect(HookMails, make(options.limits !== "nothing"))
}

const make = Effect.fnUntraced(function* (isLimited: boolean) {
  const realms = yield* RealmsRepo
  const deliveries = yield* DeliveriesRepo
  const sendMail = yield* mailSender
  const links = yield* MailLinks
  const contents = yield* MailContents
  // One email is counted at a time. Otherwise concurrent emails could exceed the limits.
  const limitLock = yield* Semaphore.make(1)

  /**
   * Counts an email to a recipient. If a limit has been reached, returns when the next email is allowed. Notices can use only
   * two thirds of the limits. The rest is reserved for emails that a user waits for, such as the password reset after a notice
   * (C152).
   */
  const countMail = Effect.fnUntraced(function* (
    delivery: Delivery,
    recipient: string,
    realm: Realm,
    asNotice: boolean
  ) {
    const now = yield* DateTime.now
    const all = isLimited ? [limitOf("mails", realm.limits), limitOf("mails_sustained", realm.limits)] : []
    const realmLimits = asNotice ? all.map((one) => ({ ...one, most: Math.ceil((one.most * 2) / 3) })) : all
    const sent = yield* deliveries.recentMailTimes(delivery, recipient, realmLimits, now)
    const until = nextMailAllowedAt(sent, now, realmLimits)
    if (until === undefined) yield* deliveries.recordMail(delivery, recipient, now)
    return until
  }, limitLock.withPermits(1))

  const renderFailureOutcome = Effect.fnUntraced(function* (failure: MailUnrenderable | RenderingBusy) {
    if (failure._tag === "MailUnrenderable")
      return { _tag: "Undeliverable", result: unrenderable[failure.why] } as const
    const until = DateTime.add(yield* DateTime.now, { seconds: failure.retryAfterSeconds })
    return { _tag: "Postponed", until } as const
  })

  const send = Effect.fnUntraced(function* (
    hook: EmailHook,
    delivery: Delivery,
    original: EventWithToken
  ): Effect.fn.Return<AttemptResult> {
    // A notice is sent to the user's current address, so it must not contain the token that confirms the new address. It has a
    // link to reset the password instead.
    const asNotice = isNotice(hook)
    const event = asNotice ? { ...original, token: null, tokenId: null } : original
    const to = yield* contents.recipientOf(event, delivery)
    const realm = yield* realms.find(event.realmId)
    if (to === undefined || realm === undefined) return skip(deliveryResults.no_recipient)
    if (hook.userType !== "all" && to.user !== undefined && to.user.userType !== hook.userType) {
      return skip(deliveryResults.other_user_type)
    }
    if (carriesToken(event) && event.token === null) return skip(deliveryResults.token_spent)

    const recipient = hook.emailTo ?? to.email
    // Check the limits before rendering, so that no work is wasted on a postponed email.
    const until = yield* countMail(delivery, recipient, realm, asNotice)
    if (until !== undefined) return { outcome: { _tag: "Postponed", until }, destination: null }

    const rendered = yield* Effect.result(contents.render(hook, event, to, realm, yield* DateTime.now))
    if (rendered._tag === "Failure")
      return { outcome: yield* renderFailureOutcome(rendered.failure), destination: recipient }

    const messageId = `${delivery.id}@${links.host}`
    const outcome = yield* sendMail({ realmId: event.realmId, messageId, to: recipient, ...rendered.success })
    return { outcome, destination: recipient }
  })

  return HookMails.of({ send })
})
