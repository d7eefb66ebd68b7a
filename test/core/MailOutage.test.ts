import { expect, it } from "@effect/vitest"
import { Effect, Logger, References } from "effect"
import { MailOutage } from "#core/mail/MailOutage"
import { MailRefused } from "#platform/Mailer"

const away = new MailRefused({
  message: "The mail server can't be reached (ECONNREFUSED).",
  isFinal: false,
  isUnavailable: true
})

const ofOneMail = new MailRefused({
  message: "The mail server rejected the email: 550 No.",
  isFinal: true,
  isUnavailable: false
})

it.effect("C102: an unreachable mail server is logged once, and once more when the server responds again", () =>
  Effect.gen(function* () {
    const lines: Array<unknown> = []
    const logged = Logger.layer([
      Logger.make(({ logLevel, message, fiber }) =>
        lines.push([logLevel, message, fiber.getRef(References.CurrentLogAnnotations)].flat())
      )
    ])
    const lost = ["Error", "The mail server can't be reached.", { cause: away.message }]
    const back = (attempts: number) => [
      "Info",
      "The mail server can be reached again.",
      { seconds: expect.any(Number), failed_attempts: attempts }
    ]
    yield* Effect.gen(function* () {
      const outage = yield* MailOutage
      yield* outage.reportSent
      yield* outage.reportRejected(ofOneMail)
      expect(lines).toEqual([])
      for (let n = 0; n < 3; n++) yield* outage.reportRejected(away)
      expect(lines).toEqual([lost])
      yield* outage.reportSent
      yield* outage.reportSent
      expect(lines).toEqual([lost, back(3)])
      yield* outage.reportRejected(away)
      yield* outage.reportRejected(ofOneMail)
      expect(lines).toEqual([lost, back(3), lost, back(1)])
    }).pipe(Effect.provide(MailOutage.layer), Effect.provide(logged))
  })
)
