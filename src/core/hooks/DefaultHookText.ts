import type { AppHook, EmailHook } from "#domain/AppHook"
import type { AppHookInput } from "#domain/AppHookInput"
import { locales } from "#domain/Locale"
import { defaultMail } from "../mail/DefaultMails.ts"

/** Fills in the built-in text of a default email if the hook has no text. */
export const withDefaultText = (hook: EmailHook, locale: string): EmailHook => {
  const defaultText = hook.defaultOf === null ? undefined : defaultMail(hook.defaultOf, locale)
  return {
    ...hook,
    emailSubject: hook.emailSubject ?? defaultText?.subject ?? null,
    emailTemplate: hook.emailTemplate ?? defaultText?.template ?? null
  }
}

/**
 * Removes the built-in text from a caller's input. Without its own text, a default email is sent in each recipient's language.
 */
export const withoutDefaultText = (before: AppHook, input: AppHookInput): AppHookInput => {
  if (before.hookType !== "email" || before.defaultOf === null) return input
  const { emailSubject, emailTemplate, ...rest } = input
  const defaultTexts = locales.map((locale) =>
    withDefaultText({ ...before, emailSubject: null, emailTemplate: null }, locale)
  )
  const subject = defaultTexts.some((defaultText) => defaultText.emailSubject === emailSubject) ? null : emailSubject
  const template = defaultTexts.some((defaultText) => defaultText.emailTemplate === emailTemplate)
    ? null
    : emailTemplate
  return {
    ...rest,
    ...(subject === undefined ? {} : { emailSubject: subject }),
    ...(template === undefined ? {} : { emailTemplate: template })
  }
}
