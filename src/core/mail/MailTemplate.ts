import type { EmailRenderer } from "#domain/AppHook"
import type { MailVariable } from "#domain/MailVariable"
import type { MailLook } from "./MailLook.ts"

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
