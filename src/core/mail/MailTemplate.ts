import type { EmailRenderer } from "#domain/AppHook"
import type { MailLook } from "./MailLook.ts"

/** The variables of mail templates (C38, C76). */
export const mailVariables = [
  "code",
  "deletion_at",
  "email",
  "event_at",
  "expires_in",
  "first_name",
  "full_name",
  "inviter_name",
  "ip",
  "org_name",
  "realm_name",
  "token",
  "url",
  "username"
] as const

export type MailVariable = (typeof mailVariables)[number]

export type MailValues = { readonly [Name in MailVariable]: string | null }

/** An email template. Variables are written as `{{name}}`. */
export interface MailTemplate {
  readonly renderer: EmailRenderer
  readonly subject: string
  readonly template: string
  /** The language of the template, for screen readers. The default is `en`. */
  readonly language?: string
  /** The look of the email if the renderer is `markdown`. Other templates have a look of their own. */
  readonly look?: MailLook
}

export interface RenderedMail {
  readonly subject: string
  readonly html: string | null
  readonly text: string | null
}

/** The maximum length of a rendered email, in characters. Counts all its parts. */
export const RENDERED_LENGTH = 262_144

/** Returns the length of an email, in characters. Counts all its parts. */
export const lengthOf = ({ subject, html, text }: RenderedMail): number =>
  subject.length + (html?.length ?? 0) + (text?.length ?? 0)
