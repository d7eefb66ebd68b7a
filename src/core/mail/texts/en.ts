import { DELETION_MAIL, type DefaultMailName, EMAIL_CHANGE_NOTICE, OPERATOR_INVITATION } from "#domain/DefaultMail"
import { accountMails } from "./account/en.ts"
import type { DefaultMail } from "./DefaultMail.ts"

/** The names that an email can mention. Only invitation emails depend on them. */
export interface KnownNames {
  readonly inviter: boolean
  readonly org: boolean
}

/** The texts of emails in one language. */
export interface MailTexts {
  /** The text before a button's plain link, for readers whose mail client doesn't show the button. */
  readonly buttonNote: string
  readonly defaults: Readonly<Record<DefaultMailName, (known: KnownNames) => DefaultMail>>
}

/** The org or realm that the invitee can join: as plain text for the subject, and with bold names for the body. */
const placeOf = ({ org }: KnownNames) =>
  org
    ? { plain: "{{org_name}} on {{app_name}}", bold: "**{{org_name}}** on {{app_name}}" }
    : { plain: "{{app_name}}", bold: "**{{app_name}}**" }

const unexpected = ({ inviter }: KnownNames): string =>
  inviter
    ? "<small>If you don't know {{inviter_name}} or weren't expecting this invitation, you can ignore this email. Nothing happens unless you accept.</small>"
    : "<small>If you weren't expecting this invitation, you can ignore this email. Nothing happens unless you accept.</small>"

const defaults: MailTexts["defaults"] = {
  ...accountMails,
  "invitation.org.invited": (known) => ({
    subject: known.inviter
      ? `{{inviter_name}} invited you to join ${placeOf(known).plain}`
      : `You're invited to join ${placeOf(known).plain}`,
    template: `Hi,

${known.inviter ? `**{{inviter_name}}** has invited you to join` : "You've been invited to join"} ${placeOf(known).bold}.

[Accept the invitation]({{url}} "button")

The invitation is for {{email}}. This link works for {{expires_in}}, and only once.

${unexpected(known)}
`
  }),
  "invitation.preverify.invited": () => ({
    subject: "Finish signing up for {{app_name}}",
    template: `Hi,

You're almost there. Confirm that {{email}} is your address, and finish creating your **{{app_name}}** account.

[Finish signing up]({{url}} "button")

This link works for {{expires_in}}, and only once.

<small>If you didn't try to sign up for {{app_name}}, you can ignore this email. No account will be created.</small>
`
  }),
  "invitation.referral.invited": (known) => ({
    subject: known.inviter
      ? `{{inviter_name}} invited you to ${placeOf(known).plain}`
      : `You're invited to ${placeOf(known).plain}`,
    template: `Hi,

${
  known.inviter
    ? `**{{inviter_name}}** thinks you'd like ${placeOf(known).bold}, too, and has invited you to join.`
    : `You've been invited to join ${placeOf(known).bold}.`
}

[Accept the invitation]({{url}} "button")

The invitation is for {{email}}. This link works for {{expires_in}}, and only once.

${unexpected(known)}
`
  }),
  "invitation.request.invited": (known) => ({
    subject: `Your invitation to ${placeOf(known).plain}`,
    template: `Hi,

You asked to join ${placeOf(known).bold}. Good news: here's your invitation.

[Accept the invitation]({{url}} "button")

The invitation is for {{email}}. This link works for {{expires_in}}, and only once.

<small>If you didn't ask to join, you can ignore this email. Nothing happens unless you accept.</small>
`
  }),
  "user.email.verifying": () => ({
    subject: "Confirm your email address for {{app_name}}",
    template: `Hi,

Please confirm that {{email}} is the email address for your **{{app_name}}** account.

[Confirm the address]({{url}} "button")

This link works for {{expires_in}}, and only once.

<small>If you don't have an account with {{app_name}}, someone may have typed your address by mistake. You can ignore this email.</small>
`
  }),
  "user.email.updating": () => ({
    subject: "Confirm your new email address for {{app_name}}",
    template: `Hi,

You asked to change the email address of your **{{app_name}}** account to {{email}}. Confirm the new address to make the change. Until then, your account keeps its current one.

[Confirm the new address]({{url}} "button")

This link works for {{expires_in}}, and only once.

<small>If you didn't ask for this change, you can ignore this email. Nothing changes unless you confirm.</small>
`
  }),
  [EMAIL_CHANGE_NOTICE]: () => ({
    subject: "Your {{app_name}} email address is about to change",
    template: `Hi,

We received a request to change the email address of your **{{app_name}}** account. The change takes effect once the new address is confirmed. Until then, your account keeps {{email}}.

**Was this you?** Then there's nothing you need to do.

**If it wasn't,** reset your password now. This cancels the change and logs everyone else out of your account.

[Reset your password]({{url}} "button")
`
  }),
  [DELETION_MAIL]: () => ({
    subject: "Your {{app_name}} account will be deleted",
    template: `Hi,

You asked us to delete your **{{app_name}}** account {{email}}. It will be deleted on {{deletion_at}}, with everything stored about you there.

Changed your mind? Until then, you can keep your account:

[Keep my account]({{url}} "button")

**If it wasn't you,** keep your account, then reset your password. This logs everyone else out of your account.
`
  }),
  "user.email_code.requested": () => ({
    subject: "{{code}} is your {{app_name}} code",
    template: `Hi,

Enter this code to log in to **{{app_name}}**:

## {{code}}

Or log in on this device:

[Log in]({{url}} "button")

The code and the link work for {{expires_in}}, and only once. Don't share them with anyone.

<small>If you didn't ask for this code, you can ignore this email. Nobody can log in without the code or the link.</small>
`
  }),
  [OPERATOR_INVITATION]: ({ inviter }) => ({
    subject: inviter ? "{{inviter_name}} invited you to {{app_name}}" : "You're invited to {{app_name}}",
    template: `Hi,

${inviter ? "**{{inviter_name}}** has invited you" : "You've been invited"} to help run **{{app_name}}**. Set up your account to log in to the console.

[Set up your account]({{url}} "button")

The invitation is for {{email}}. This link works for {{expires_in}}, and only once.

<small>If you weren't expecting this invitation, you can ignore this email.</small>
`
  }),
  "user.password.resetting": () => ({
    subject: "Reset your {{app_name}} password",
    template: `Hi,

We received a request to reset the password for your **{{app_name}}** account.

[Choose a new password]({{url}} "button")

This link works for {{expires_in}}, and only once.

<small>If you didn't ask to reset your password, you can ignore this email. Your password stays the same.</small>
`
  })
}

/** The English texts of emails. */
export const en: MailTexts = { buttonNote: "If the button doesn't work, open this link:", defaults }
