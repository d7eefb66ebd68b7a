import { Context, DateTime, Effect, Layer, Semaphore } from "effect"
import { ADDRESS_NOTICE, type EmailHook } from "#domain/AppHook"
import { type Attempted, type Delivery, mailAllowedAt, type Outcome, RESULT_LENGTH } from "#domain/Delivery"
import { carriesToken, type ReadEvent } from "#domain/Event"
import { type AuthProviderId, isId } from "#domain/Ids"
import type { Invitation } from "#domain/Invitation"
import { type Limited, limitOf } from "#domain/Limit"
import type { MailUnrenderable, RenderingBusy, WhyUnrenderable } from "#domain/MailTemplate"
import type { Realm } from "#domain/Realm"
import type { User } from "#domain/User"
import { Mailer } from "#platform/Mailer"
import { DeliveriesRepo } from "#store/DeliveriesRepo"
import { InvitationsRepo } from "#store/InvitationsRepo"
import { RealmsRepo } from "#store/RealmsRepo"
import { UsersRepo } from "#store/UsersRepo"
import { defaultMail } from "../mail/DefaultMails.ts"
import { MailRenderer } from "../mail/MailRenderer.ts"
import { MailSenders } from "../mail/MailSenders.ts"
import type { MailValues } from "../mail/MailTemplate.ts"
import { MailLinks } from "./MailLinks.ts"

/** Whom an event concerns: a user, or somebody who was invited. */
interface Addressee {
  readonly email: string
  readonly locale: string | null
  readonly user: User | undefined
  /** By which the invited person is to log in. */
  readonly authProviderId: AuthProviderId | null
}

/** What is said of a mail that a template makes none of. */
const unrenderable: Readonly<Record<WhyUnrenderable, string>> = {
  slow: "The template takes too long to render.",
  nested: "The template is nested too deeply.",
  long: "The e-mail that the template renders is too long."
}

const pointless = (result: string): Attempted => ({ outcome: { _tag: "Pointless", result }, destination: null })

/** The language of a locale, whatever a caller made of the rest of it. */
const languageOf = (locale: string): string => /^[a-z]{2,3}(?![a-z])/i.exec(locale)?.[0].toLowerCase() ?? "en"

/** When it happened, in the reader's language. */
const whenIn = (language: string, at: DateTime.Utc): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).format(at.epochMilliseconds)} UTC`

/** Where mails come from unless their hook says otherwise. */
export interface MailFrom {
  readonly address: string
  readonly name: string | null
}

/** Mails what e-mail hooks hear (decision 38). */
export class HookMails extends Context.Service<
  HookMails,
  {
    /** Sends the mail that a hook makes of an event, once; none where there is nobody to get it. */
    send(hook: EmailHook, delivery: Delivery, event: ReadEvent): Effect.Effect<Attempted>
  }
>()("sallyport/core/HookMails") {
  /** `limits`: whether a recipient gets only so many mails. */
  static readonly layer = (options: { readonly mailFrom: MailFrom; readonly limits: Limited }) =>
    Layer.effect(HookMails, make(options.mailFrom, options.limits !== "nothing"))
}

const make = Effect.fnUntraced(function* (mailFrom: MailFrom, limited: boolean) {
  const users = yield* UsersRepo
  const realms = yield* RealmsRepo
  const invitations = yield* InvitationsRepo
  const deliveries = yield* DeliveriesRepo
  const mailer = yield* Mailer
  const links = yield* MailLinks
  const renderer = yield* MailRenderer
  const senders = yield* MailSenders
  // One mail after the other is held against the limits, so that mails side by side don't pass together.
  const counting = yield* Semaphore.make(1)

  const invitee = ({ email, locale, authProviderId }: Invitation): Addressee => ({
    email,
    locale,
    user: undefined,
    authProviderId
  })

  const addressee = Effect.fnUntraced(function* (event: ReadEvent, { addressedTo }: Delivery) {
    if (event.eventType.startsWith("invitation.")) {
      const { invitationId } = event
      if (invitationId === null || !isId("invitation", invitationId)) return undefined
      const invitation = yield* invitations.find(event.realmId, invitationId, yield* DateTime.now)
      return invitation === undefined ? undefined : invitee(invitation)
    }
    const { userId } = event
    if (userId === null || !isId("user", userId)) return undefined
    const user = yield* users.find(event.realmId, userId)
    if (user === undefined) return undefined
    const email = addressedTo ?? (event.eventType === "user.email.updating" ? user.emailPending : user.email)
    return email === null ? undefined : { email, locale: user.locale, user, authProviderId: null }
  })

  const valuesOf = (event: ReadEvent, to: Addressee, realm: Realm, language: string, url: string): MailValues => ({
    email: to.email,
    event_at: whenIn(language, event.eventAt),
    first_name: to.user?.firstName ?? null,
    full_name: to.user?.name ?? null,
    ip: event.requestIp,
    realm_name: realm.name,
    token: event.token,
    url,
    username: to.user?.username ?? null
  })

  /** Counts a mail to a recipient; until when it has to wait where that would be one too many. */
  const counted = Effect.fnUntraced(function* (delivery: Delivery, recipient: string, realm: Realm) {
    const now = yield* DateTime.now
    const own = limited ? [limitOf("mails", realm.limits), limitOf("mails_sustained", realm.limits)] : []
    const sent = yield* deliveries.othersMailedAt(delivery, recipient, own, now)
    const until = mailAllowedAt(sent, now, own)
    if (until === undefined) yield* deliveries.noteMailed(delivery, recipient, now)
    return until
  }, counting.withPermits(1))

  const unmade = Effect.fnUntraced(function* (failure: MailUnrenderable | RenderingBusy) {
    if (failure._tag === "MailUnrenderable") return { _tag: "Hopeless", result: unrenderable[failure.why] } as const
    const until = DateTime.add(yield* DateTime.now, { seconds: failure.retryAfterSeconds })
    return { _tag: "Postponed", until } as const
  })

  const send = Effect.fnUntraced(function* (
    hook: EmailHook,
    delivery: Delivery,
    happened: ReadEvent
  ): Effect.fn.Return<Attempted> {
    // The proof is for the new address alone: the one from before is told, and given the way to a new password.
    const isNotice = hook.defaultOf === ADDRESS_NOTICE
    const event = isNotice ? { ...happened, token: null, tokenId: null } : happened
    const to = yield* addressee(event, delivery)
    const realm = yield* realms.find(event.realmId)
    if (to === undefined || realm === undefined) return pointless("There is no one to e-mail.")
    if (hook.userType !== "all" && to.user !== undefined && to.user.userType !== hook.userType) {
      return pointless("The hook does not e-mail users of this type.")
    }
    if (carriesToken(event) && event.token === null) return pointless("The event's token can no longer be used.")

    const recipient = hook.emailTo ?? to.email
    const language = languageOf(to.locale ?? realm.defaultLocale)
    const standard = hook.defaultOf === null ? undefined : defaultMail(hook.defaultOf, language)
    const template = {
      renderer: hook.emailRenderer,
      subject: hook.emailSubject ?? standard?.subject ?? "",
      template: hook.emailTemplate ?? standard?.template ?? "",
      language
    }
    const url = yield* isNotice
      ? links.forgotOf(event.realmId)
      : links.urlOf({ ...event, authProviderId: to.authProviderId })
    // Before anything is rendered: a mail that may not go yet costs nothing.
    const until = yield* counted(delivery, recipient, realm)
    if (until !== undefined) return { outcome: { _tag: "Postponed", until }, destination: null }
    const made = yield* Effect.result(renderer.render(realm.id, template, valuesOf(event, to, realm, language, url)))
    if (made._tag === "Failure") return { outcome: yield* unmade(made.failure), destination: recipient }

    const sender = hook.emailFrom !== null && senders.allows(hook.emailFrom) ? hook.emailFrom : undefined
    const outcome: Outcome = yield* mailer
      .send({
        realmId: event.realmId,
        messageId: `${delivery.id}@${links.host}`,
        from: {
          address: sender ?? mailFrom.address,
          name: hook.emailFromName ?? (sender === undefined ? mailFrom.name : null)
        },
        to: recipient,
        ...made.success
      })
      .pipe(
        Effect.map((result): Outcome => ({ _tag: "Delivered", result: result.slice(0, RESULT_LENGTH) })),
        Effect.catch(({ message, final }) => {
          const result = message.slice(0, RESULT_LENGTH)
          return Effect.succeed<Outcome>(
            final ? { _tag: "Hopeless", result } : { _tag: "Refused", result, retryAfter: undefined }
          )
        })
      )
    return { outcome, destination: recipient }
  })

  return HookMails.of({ send })
})
