import { Effect } from "effect"
import { MAX_RESULT_LENGTH, type Outcome } from "#domain/Delivery"
import type { Mail } from "#domain/Mail"
import { Mailer } from "#platform/Mailer"
import { MailOutage } from "../mail/MailOutage.ts"

/** Sends a mail, and tells how that went and whether a mail server that is away has come back. */
export const mailSender = Effect.gen(function* () {
  const mailer = yield* Mailer
  const outage = yield* MailOutage

  return (mail: Mail) =>
    mailer.send(mail).pipe(
      Effect.tapError(outage.reportRefused),
      Effect.tap(outage.reportSent),
      Effect.map((result): Outcome => ({ _tag: "Delivered", result: result.slice(0, MAX_RESULT_LENGTH) })),
      Effect.catch(({ message, final }) => {
        const result = message.slice(0, MAX_RESULT_LENGTH)
        return Effect.succeed<Outcome>(
          final ? { _tag: "Undeliverable", result } : { _tag: "Refused", result, retryAfter: undefined }
        )
      }),
      // The span is around what never fails: the text of a refusal may hold the address.
      Effect.withSpan("send mail", { kind: "client" })
    )
})
