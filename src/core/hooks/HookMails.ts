import { Context, DateTime, Duration, Effect, Layer, Semaphore } from "effect"
import { isAccountMail } from "#domain/AccountNotice"
import { type EmailHook } from "#domain/AppHook"
import { brandNameOf } from "#domain/ConnectedApp"
import { EMAIL_CHANGE_NOTICE } from "#domain/DefaultMail"
import { type AttemptResult, type Delivery, MAX_RESULT_LENGTH, nextMailAllowedAt, type Outcome } from "#domain/Delivery"
import { carriesToken, type EventWithToken } from "#domain/Event"
import type { EventActor } from "#domain/EventActor"
import { isId, type LoginPolicyId } from "#domain/Ids"
import type { InvitationWithToken } from "#domain/Invitation"
import { type LimitScope, limitOf } from "#domain/Limit"
import type { MailUnrenderable, RenderFailure, RenderingBusy } from "#domain/MailTemplate"
import { nameInMail } from "#domain/NameInMail"
import { tokenMinutes } from "#domain/OneTimeToken"
import type { Realm } from "#domain/Realm"
import { type User, visibleUser } from "#domain/User"
import { Mailer } from "#platform/Mailer"
import { DeliveriesRepo } from "#store/DeliveriesRepo"
import { InvitationsRepo } from "#store/InvitationsRepo"
import { RealmsRepo } from "#store/RealmsRepo"
import { UsersRepo } from "#store/UsersRepo"
import { defaultMail, defaultMailLanguage } from "../mail/DefaultMails.ts"
import { lifetimeInWords } from "../mail/MailLifetimes.ts"
import { MailOutage } from "../mail/MailOutage.ts"
import { MailRenderer } from "../mail/MailRenderer.ts"
import { MailSenders } from "../mail/MailSenders.ts"
import type { MailValues } from "../mail/MailTemplate.ts"
import { mailedCode } from "../tokens/MailedCodes.ts"
import { MailLinks } from "./MailLinks.ts"

/** The person an event is about: a user, or an invitee. */
interface MailRecipient {
  readonly email: string
  readonly locale: string | null
  readonly user: User | undefined
  /** Null for a user. */
  readonly invitation: InvitationWithToken | null
}

/** The delivery result for a template that can't be rendered. */
const unrenderable: Readonly<Record<RenderFailure, string>> = {
  slow: "The template takes too long to render.",
  nested: "The template is nested too deeply.",
  long: "The e-mail that the template renders is too long."
}

const skip = (result: string): AttemptResult => ({ outcome: { _tag: "Skipped", result }, destination: null })

/** The language of a locale, whose other parts are not validated. */
const languageOf = (locale: string): string => /^[a-z]{2,3}(?![a-z])/i.exec(locale)?.[0].toLowerCase() ?? "en"

/** The app on whose pages a person caused an event whom nobody knew yet. */
const appOf = ({ type, id }: EventActor): LoginPolicyId | null =>
  type === "client_app" && id !== null && isId("loginPolicy", id) ? id : null

/** Formats the time of an event in a language. */
const formatTime = (language: string, at: DateTime.Utc): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).format(at.epochMilliseconds)} UTC`

/** The default sender of mails. */
export interface MailFrom {
  readonly address: string
  readonly name: string | null
}

/** Sends the mails of e-mail hooks (C38). */
export class HookMails extends Context.Service<
  HookMails,
  {
    /** Sends the mail of a hook for an event, once, if it has a recipient. */
    send(hook: EmailHook, delivery: Delivery, event: EventWithToken): Effect.Effect<AttemptResult>
  }
>()("sallyport/core/HookMails") {
  /** `limits`: `nothing` lifts the limits on mails per recipient. */
  static readonly layer = (options: { readonly mailFrom: MailFrom; readonly limits: LimitScope }) =>
    Layer.effect(HookMails, make(options.mailFrom, options.limits !== "nothing"))
}

const make = Effect.fnUntraced(function* (mailFrom: MailFrom, isLimited: boolean) {
  const users = yield* UsersRepo
  const realms = yield* RealmsRepo
  const invitations = yield* InvitationsRepo
  const deliveries = yield* DeliveriesRepo
  const mailer = yield* Mailer
  const outage = yield* MailOutage
  const links = yield* MailLinks
  const renderer = yield* MailRenderer
  const senders = yield* MailSenders
  // Mails are counted one at a time, so that concurrent ones can't pass the limits together.
  const limitLock = yield* Semaphore.make(1)

  const findRecipient = Effect.fnUntraced(function* (event: EventWithToken, delivery: Delivery) {
    if (event.eventType.startsWith("invitation.")) {
      const { invitationId } = event
      if (invitationId === null || !isId("invitation", invitationId)) return undefined
      const invitation = yield* invitations.find(event.realmId, invitationId, yield* DateTime.now)
      if (invitation === undefined) return undefined
      const { email, locale } = invitation
      const found: MailRecipient = { email, locale, user: undefined, invitation }
      return found
    }
    const { userId } = event
    if (userId === null || !isId("user", userId)) return undefined
    const user = yield* users.find(event.realmId, userId)
    if (user === undefined) return undefined
    const email = delivery.addressedTo ?? (event.eventType === "user.email.updating" ? user.emailPending : user.email)
    return email === null ? undefined : { email, locale: delivery.language ?? user.locale, user, invitation: null }
  })

  /** The inviter and the org of an invitation. */
  const namesOf = Effect.fnUntraced(function* (realm: Realm, invitation: InvitationWithToken | null) {
    const { invitingUserId = null, org = null } = invitation ?? {}
    const inviter = invitingUserId === null ? undefined : yield* users.find(realm.id, invitingUserId)
    return {
      inviter_name: inviter === undefined ? null : nameInMail(visibleUser(realm, inviter).name),
      org_name: org === null ? null : nameInMail(org.name)
    }
  })

  /** How long the link of a mail works from now on. Null for a mail without one that ends. */
  const expiresIn = (language: string, event: EventWithToken, to: MailRecipient, now: DateTime.Utc): string | null => {
    const minutes = tokenMinutes(event.token ?? "")
    const byToken = minutes === undefined ? undefined : DateTime.add(event.eventAt, { minutes })
    const until = to.invitation?.expiresAt ?? byToken
    if (until === undefined) return null
    return lifetimeInWords(language, Duration.toSeconds(DateTime.distance(now, until)))
  }

  const valuesOf = Effect.fnUntraced(function* (
    event: EventWithToken,
    to: MailRecipient,
    realm: Realm,
    language: string,
    url: string
  ): Effect.fn.Return<MailValues> {
    const isCode = event.eventType === "user.email_code.requested" && event.token !== null
    return {
      code: isCode ? mailedCode(event.token) : null,
      email: to.email,
      event_at: formatTime(language, event.eventAt),
      expires_in: expiresIn(language, event, to, yield* DateTime.now),
      first_name: to.user?.firstName ?? null,
      full_name: to.user?.name ?? null,
      ip: event.requestIp,
      realm_name: realm.name,
      token: event.token,
      url,
      username: to.user?.username ?? null,
      ...(yield* namesOf(realm, to.invitation))
    }
  })

  /**
   * Counts a mail to a recipient. If the limit is reached, returns when the next one is allowed. Notices leave a third of it to
   * mails that somebody waits for, such as the reset that a notice leads to (C152).
   */
  const countMail = Effect.fnUntraced(function* (
    delivery: Delivery,
    recipient: string,
    realm: Realm,
    isNotice: boolean
  ) {
    const now = yield* DateTime.now
    const all = isLimited ? [limitOf("mails", realm.limits), limitOf("mails_sustained", realm.limits)] : []
    const realmLimits = isNotice ? all.map((one) => ({ ...one, most: Math.ceil((one.most * 2) / 3) })) : all
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
    // A token proves a new address only. Notices have a link to reset the password in its place.
    const isNotice = hook.defaultOf === EMAIL_CHANGE_NOTICE || isAccountMail(hook.defaultOf ?? "")
    const event = isNotice ? { ...original, token: null, tokenId: null } : original
    const to = yield* findRecipient(event, delivery)
    const realm = yield* realms.find(event.realmId)
    if (to === undefined || realm === undefined) return skip("There is no one to e-mail.")
    if (hook.userType !== "all" && to.user !== undefined && to.user.userType !== hook.userType) {
      return skip("The hook does not e-mail users of this type.")
    }
    if (carriesToken(event) && event.token === null) return skip("The event's token can no longer be used.")

    const recipient = hook.emailTo ?? to.email
    // Checked before rendering, so that a postponed mail costs nothing.
    const until = yield* countMail(delivery, recipient, realm, isNotice)
    if (until !== undefined) return { outcome: { _tag: "Postponed", until }, destination: null }

    const locale = to.locale ?? realm.defaultLocale
    const isDefault = hook.defaultOf !== null && hook.emailTemplate === null
    const language = isDefault ? defaultMailLanguage(locale) : languageOf(locale)
    const { authProviderId = null, clientAppId = appOf(event.actor) } = to.invitation ?? {}
    const { url, app } = yield* isNotice
      ? links.forgotPasswordLink(event.realmId)
      : links.linkOf({ ...event, authProviderId, clientAppId })
    // Default mails go by the name of the pages; in a caller's template `realm_name` is what it says.
    const brand = brandNameOf({ realm, app })
    const values = yield* valuesOf(event, to, isDefault ? { ...realm, name: brand } : realm, language, url)
    const known = { inviter: values.inviter_name !== null, org: values.org_name !== null }
    const defaultText = hook.defaultOf === null ? undefined : defaultMail(hook.defaultOf, language, known)
    const template = {
      renderer: hook.emailRenderer,
      subject: hook.emailSubject ?? defaultText?.subject ?? "",
      template: hook.emailTemplate ?? defaultText?.template ?? "",
      language
    }
    const rendered = yield* Effect.result(renderer.render(realm.id, template, values))
    if (rendered._tag === "Failure")
      return { outcome: yield* renderFailureOutcome(rendered.failure), destination: recipient }

    const sender = hook.emailFrom !== null && senders.allows(hook.emailFrom) ? hook.emailFrom : undefined
    const outcome: Outcome = yield* mailer
      .send({
        realmId: event.realmId,
        messageId: `${delivery.id}@${links.host}`,
        from: {
          address: sender ?? mailFrom.address,
          name:
            hook.emailFromName ??
            (sender === undefined ? (mailFrom.name ?? nameInMail(isDefault ? brand : realm.name)) : null)
        },
        to: recipient,
        ...rendered.success
      })
      .pipe(
        Effect.tapError(outage.reportRefused),
        Effect.tap(outage.reportSent),
        Effect.map((result): Outcome => ({ _tag: "Delivered", result: result.slice(0, MAX_RESULT_LENGTH) })),
        Effect.catch(({ message, final }) => {
          const result = message.slice(0, MAX_RESULT_LENGTH)
          return Effect.succeed<Outcome>(
            final ? { _tag: "Undeliverable", result } : { _tag: "Refused", result, retryAfter: undefined }
          )
        })
      )
    return { outcome, destination: recipient }
  })

  return HookMails.of({ send })
})
