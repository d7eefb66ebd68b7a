import { Effect, Equal } from "effect"
import type { AppHook } from "#domain/AppHook"
import type { MailUnrenderable, RenderFailure } from "#domain/MailTemplate"
import { rejection } from "#domain/Rejected"
import { storedRealm } from "#store/hooks/AppHookRows"
import type { MailRenderer } from "../mail/MailRenderer.ts"
import { type MailTemplate, RENDERED_LENGTH } from "../mail/MailTemplate.ts"

/** The error codes for templates that can't be rendered. */
const codes: Readonly<Record<RenderFailure, string>> = {
  slow: "template_slow",
  nested: "template_nested",
  long: "template_mail_long"
}

const KIB = 1_024

/** Returns the template of an email hook, as callers can set it. */
const templateOf = (hook: AppHook | undefined): MailTemplate | undefined =>
  hook?.hookType === "email"
    ? { renderer: hook.emailRenderer, subject: hook.emailSubject ?? "", template: hook.emailTemplate ?? "" }
    : undefined

/** Returns whether two hooks have the same template. */
export const hasSameTemplate = (one: AppHook | undefined, other: AppHook): boolean =>
  Equal.equals(templateOf(one), templateOf(other))

/** Makes the error for a template that can't be rendered. */
export const unrenderable = ({ why }: MailUnrenderable) =>
  rejection("email_template", codes[why], { most: RENDERED_LENGTH / KIB })

/**
 * Makes a function that validates a hook's template if it has changed (SEC-83). Validation is slow, so don't call the function
 * inside a transaction.
 */
export const templateValidator = (renderer: MailRenderer["Service"]) =>
  Effect.fnUntraced(function* (before: AppHook | undefined, after: AppHook) {
    const mail = templateOf(after)
    if (mail === undefined || hasSameTemplate(before, after)) return
    yield* Effect.catchTag(renderer.validate(storedRealm(after.realmId), mail), "MailUnrenderable", (failure) =>
      Effect.fail(unrenderable(failure))
    )
  })
