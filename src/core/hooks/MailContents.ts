import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { isAccountMail } from "#domain/AccountNotice"
import { defaultAppearance, emailLogoPath, emailLogosOf, type LogoFile } from "#domain/Appearance"
import type { EmailHook } from "#domain/AppHook"
import { type AppDraft, brandNameOf, type ConnectedApp } from "#domain/ConnectedApp"
import { DELETION_MAIL, EMAIL_CHANGE_NOTICE, OPERATOR_INVITATION } from "#domain/DefaultMail"
import type { Delivery } from "#domain/Delivery"
import type { EventWithToken } from "#domain/Event"
import type { EventActor } from "#domain/EventActor"
import { type AppId, isId } from "#domain/Ids"
import type { InvitationWithToken } from "#domain/Invitation"
import type { MailUnrenderable, RenderingBusy } from "#domain/MailTemplate"
import { nameInMail } from "#domain/NameInMail"
import { oneTimeTokenMinutes } from "#domain/OneTimeToken"
import type { ThemeName } from "#domain/PageThemes"
import type { Realm } from "#domain/Realm"
import { type User, visibleUser } from "#domain/User"
import { LoginDomains } from "#platform/LoginDomains"
import { logoDataUrl } from "#platform/LogoDataUrl"
import { InvitationsRepo } from "#store/orgs/InvitationsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { defaultMail, defaultMailLanguage } from "../mail/DefaultMails.ts"
import { lifetimeInWords } from "../mail/MailLifetimes.ts"
import { type MailLook, mailLookOf } from "../mail/MailLook.ts"
import { MailRenderer } from "../mail/MailRenderer.ts"
import { MailSenders } from "../mail/MailSenders.ts"
import type { MailValues, RenderedMail } from "../mail/MailTemplate.ts"
import { mailedCode } from "../tokens/MailedCodes.ts"
import { MailLinks } from "./MailLinks.ts"

/** The names of an invitation's inviter and org. */
type Names = Pick<MailValues, "inviter_name" | "org_name">

/** The person an event is about: a user, or an invitee. */
export interface MailRecipient {
  readonly email: string
  readonly locale: string | null
  readonly user: Pick<User, "firstName" | "name" | "username" | "userType" | "deletionAt"> | undefined
  /** The invitation, or null if the person is a user. */
  readonly invitation: InvitationWithToken | null
  /** The names in an operator's or a sample invitation. If undefined, the names are those of the actual invitation. */
  readonly names?: Names
  /** When the link of a sample invitation expires. */
  readonly expiresAt?: DateTime.Utc
}

/** The default sender of emails. */
export interface MailFrom {
  readonly address: string
  readonly name: string | null
}

/** An email with its sender, but without a recipient. */
export interface MailContent extends RenderedMail {
  readonly from: MailFrom
}

/** Returns whether a hook is a default notice. A notice has a link to reset the password instead of a token. */
export const isNotice = ({ defaultOf }: EmailHook): boolean =>
  defaultOf === EMAIL_CHANGE_NOTICE || isAccountMail(defaultOf ?? "")

/** Returns the language of a locale. The rest of the locale is not validated. */
const languageOf = (locale: string): string => /^[a-z]{2,3}(?![a-z])/i.exec(locale)?.[0].toLowerCase() ?? "en"

/** Returns the app if the actor is a visitor of its pages who was not logged in. */
const appOf = ({ type, id }: EventActor): AppId | null =>
  type === "client_app" && id !== null && isId("app", id) ? id : null

/** Formats the time of an event in a language. */
const formatTime = (language: string, at: DateTime.Utc): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).format(at.epochMilliseconds)} UTC`

/** Returns in words how long an email's link remains valid, or null if it has no link that expires. */
const expiresIn = (language: string, event: EventWithToken, to: MailRecipient, now: DateTime.Utc): string | null => {
  const minutes = oneTimeTokenMinutes(event.token ?? "")
  const byToken = minutes === undefined ? undefined : DateTime.add(event.eventAt, { minutes })
  const deletionAt = event.eventType === DELETION_MAIL ? to.user?.deletionAt : undefined
  const until = to.invitation?.expiresAt ?? to.expiresAt ?? deletionAt ?? byToken
  if (until === undefined) return null
  return lifetimeInWords(language, Duration.toSeconds(DateTime.distance(now, until)))
}

/** Determines the recipients of email hooks' emails, and renders the emails (C38). */
export class MailContents extends Context.Service<
  MailContents,
  {
    /** Finds the person an event is about. Returns undefined if there is none, or if they have no email address. */
    recipientOf(
      event: EventWithToken,
      delivery: Pick<Delivery, "addressedTo" | "language">
    ): Effect.Effect<MailRecipient | undefined>
    /**
     * Renders a hook's email for an event. `now` is the time when it is sent. `draft` replaces the app whose look the email
     * has.
     */
    render(
      hook: EmailHook,
      event: EventWithToken,
      to: MailRecipient,
      realm: Realm,
      now: DateTime.Utc,
      draft?: AppDraft
    ): Effect.Effect<MailContent, MailUnrenderable | RenderingBusy>
  }
>()("sallyport/core/MailContents") {
  static readonly layer = (options: { readonly mailFrom: MailFrom }) =>
    Layer.effect(MailContents, make(options.mailFrom))
}

const make = Effect.fnUntraced(function* (mailFrom: MailFrom) {
  const users = yield* UsersRepo
  const invitations = yield* InvitationsRepo
  const links = yield* MailLinks
  const renderer = yield* MailRenderer
  const senders = yield* MailSenders
  const domains = yield* LoginDomains

  /** The URLs of an app's logo. In a preview of unsaved settings, they contain the image. */
  const logoOf = (app: ConnectedApp | undefined, draft: AppDraft | undefined): MailLook["logo"] => {
    if (app === undefined) return null
    const urlOf = (theme: ThemeName, file: LogoFile) => {
      const logo = draft?.logos.find((one) => one.file === file)
      return logo === undefined ? `${domains.origin(app.subdomain)}${emailLogoPath(theme, file)}` : logoDataUrl(logo)
    }
    const files = emailLogosOf(app.appearance)
    const dark = files.dark === null ? null : urlOf("dark", files.dark)
    const light = files.light === null ? dark : urlOf("light", files.light)
    return light === null ? null : { light, dark }
  }

  const recipientOf = Effect.fnUntraced(function* (
    event: EventWithToken,
    { addressedTo, language }: Pick<Delivery, "addressedTo" | "language">
  ) {
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
    const email = addressedTo ?? (event.eventType === "user.email.updating" ? user.emailPending : user.email)
    if (email === null) return undefined
    const found: MailRecipient = { email, locale: language ?? user.locale, user, invitation: null }
    if (event.eventType !== OPERATOR_INVITATION) return found
    const { email: inviter } = event.actor
    return { ...found, names: { inviter_name: inviter === undefined ? null : nameInMail(inviter), org_name: null } }
  })

  const namesOf = Effect.fnUntraced(function* (realm: Realm, { names, invitation }: MailRecipient) {
    if (names !== undefined) return names
    const { invitingUserId = null, org = null } = invitation ?? {}
    const inviter = invitingUserId === null ? undefined : yield* users.find(realm.id, invitingUserId)
    const found: Names = {
      inviter_name: inviter === undefined ? null : nameInMail(visibleUser(realm, inviter).name),
      org_name: org === null ? null : nameInMail(org.name)
    }
    return found
  })

  const render = Effect.fnUntraced(function* (
    hook: EmailHook,
    event: EventWithToken,
    to: MailRecipient,
    realm: Realm,
    now: DateTime.Utc,
    draft?: AppDraft
  ): Effect.fn.Return<MailContent, MailUnrenderable | RenderingBusy> {
    const locale = to.locale ?? realm.defaultLocale
    const isDefault = hook.defaultOf !== null && hook.emailTemplate === null
    const language = isDefault ? defaultMailLanguage(locale) : languageOf(locale)
    const { authProviderId = null, appId = appOf(event.actor) } = to.invitation ?? {}
    const link = yield* isNotice(hook)
      ? links.forgotPasswordLink(event.realmId)
      : links.linkOf({ ...event, authProviderId, appId })
    const { url } = link
    const app = draft?.app ?? link.app
    const brand = brandNameOf({ realm, app })
    const isCode = event.eventType === "user.email_code.requested" && event.token !== null
    const deletionAt = to.user?.deletionAt ?? null
    const values: MailValues = {
      // The name that the pages show. Unlike the realm's name, it is the app's if the app has one (C158).
      app_name: brand,
      code: isCode ? mailedCode(event.token) : null,
      deletion_at: deletionAt === null ? null : formatTime(language, deletionAt),
      email: to.email,
      event_at: formatTime(language, event.eventAt),
      expires_in: expiresIn(language, event, to, now),
      first_name: to.user?.firstName ?? null,
      full_name: to.user?.name ?? null,
      ip: event.requestIp,
      realm_name: realm.name,
      token: event.token,
      url,
      username: to.user?.username ?? null,
      ...(yield* namesOf(realm, to))
    }
    const known = { inviter: values.inviter_name !== null, org: values.org_name !== null }
    const defaultText = hook.defaultOf === null ? undefined : defaultMail(hook.defaultOf, language, known)
    const template = {
      renderer: hook.emailRenderer,
      subject: hook.emailSubject ?? defaultText?.subject ?? "",
      template: hook.emailTemplate ?? defaultText?.template ?? "",
      language,
      look: mailLookOf(app?.appearance ?? defaultAppearance, nameInMail(brand), logoOf(app, draft))
    }
    const rendered = yield* renderer.render(realm.id, template, values)
    const sender = hook.emailFrom !== null && senders.allows(hook.emailFrom) ? hook.emailFrom : undefined
    const name = hook.emailFromName ?? (sender === undefined ? (mailFrom.name ?? nameInMail(brand)) : null)
    return { from: { address: sender ?? mailFrom.address, name }, ...rendered }
  })

  return MailContents.of({ recipientOf, render })
})
