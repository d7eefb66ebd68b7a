import { Effect, Equal } from "effect"
import type { AppHook } from "#domain/AppHook"
import type { WhyUnrenderable } from "#domain/MailTemplate"
import { rejected } from "#domain/Rejected"
import { storedRealm } from "#store/AppHookRows"
import type { MailRenderer } from "../mail/MailRenderer.ts"
import { type MailTemplate, RENDERED_LENGTH } from "../mail/MailTemplate.ts"

/** What a caller is told of a template that no mail can be made of. */
const codes: Readonly<Record<WhyUnrenderable, string>> = {
  slow: "template_slow",
  nested: "template_nested",
  long: "template_mail_long"
}

const KIB = 1_024

/** What an e-mail hook makes mails of, as far as callers write it. */
const mailOf = (hook: AppHook | undefined): MailTemplate | undefined =>
  hook?.hookType === "email"
    ? { renderer: hook.emailRenderer, subject: hook.emailSubject ?? "", template: hook.emailTemplate ?? "" }
    : undefined

/** Whether two hooks make the same mails. */
export const mailAlike = (one: AppHook | undefined, other: AppHook): boolean => Equal.equals(mailOf(one), mailOf(other))

/** Tries out what a hook would mail, unless it does so already (SEC-83). It takes a while: never within a transaction. */
export const templateTrial = (renderer: MailRenderer["Service"]) =>
  Effect.fnUntraced(function* (before: AppHook | undefined, after: AppHook) {
    const mail = mailOf(after)
    if (mail === undefined || mailAlike(before, after)) return
    yield* Effect.catchTag(renderer.tryOut(storedRealm(after.realmId), mail), "MailUnrenderable", ({ why }) =>
      Effect.fail(rejected("email_template", codes[why], { most: RENDERED_LENGTH / KIB }))
    )
  })
