import type { EmailRenderer } from "#domain/AppHook"

/** The variables of mail templates, all there are (decision 38). */
export const mailVariables = [
  "email",
  "event_at",
  "first_name",
  "full_name",
  "ip",
  "realm_name",
  "token",
  "url",
  "username"
] as const

export type MailVariable = (typeof mailVariables)[number]

export type MailValues = { readonly [Name in MailVariable]: string | null }

/** What a mail is made from: trusted texts, in which variables stand as `{{name}}`. */
export interface MailTemplate {
  readonly renderer: EmailRenderer
  readonly subject: string
  readonly template: string
  /** Of the template, for who reads the mail aloud. Default: en. */
  readonly language?: string
}

export interface RenderedMail {
  readonly subject: string
  readonly html: string | null
  readonly text: string | null
}

/** The longest mail that is made of a template, in characters of all its parts. */
export const RENDERED_LENGTH = 262_144

/** How long a mail is, in characters of all its parts. */
export const lengthOf = ({ subject, html, text }: RenderedMail): number =>
  subject.length + (html?.length ?? 0) + (text?.length ?? 0)
