import { Effect } from "effect"
import { MAX_RESULT_LENGTH, type Outcome } from "#domain/Delivery"
import type { Mail } from "#domain/Mail"
import { Mailer } from "#platform/Mailer"
import { MailOutage } from "../mail/MailOutage.ts"

/** Sends an email, reports to `MailOutage` whether the mail server is reachable, and returns the outcome. */
export const mailSender = Effect.gen(function* () {
  const mailer = yield* Mailer
  const outage = yield* MailOutage

  return (mail: Mail) =>
    mailer.send(mail).pipe(
      Effect.tapError(outage.reportRejected),
      Effect.tap(outage.reportSent),
      Effect.map((result): Outcome => ({ _tag: "Delivered", result: result.slice(0, MAX_RESULT_LENGTH) })),
      Effect.catch(({ message, isFinal }) => {
        const result = message.slice(0, MAX_RESULT_LENGTH)
        return Effect.succeed<Outcome>(
          isFinal ? { _tag: "Undeliverable", result } : { _tag: "Refused", result, retryAfter: undefined }
        )
      }),
      // The span must not record the text of a rejection, because it may contain the address. So it starts after errors are
      // handled.
      Effect.withSpan("send mail", { kind: "client" })
    )
})
