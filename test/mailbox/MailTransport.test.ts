import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readSettings } from "#server/Config"
import { mailTransport } from "#server/MailTransport"

const embedded = {}
const memory = { DATABASE_URL: "memory://" }
const postgres = {
  DATABASE_URL: "postgres://localhost/sallyport",
  SALLYPORT_SECRET: "a-secret-of-more-than-thirty-two-characters"
}
const testMode = { SALLYPORT_TEST_MODE: "on" }
const smtp = { SALLYPORT_SMTP_URL: "smtp://user:password@mail.test:587" }
const mailbox = { SALLYPORT_MAILBOX: "true" }

const here = "http://localhost:3000"
const off = "off (SALLYPORT_SMTP_URL is not set)"

it.effect.each([
  ["the embedded database", embedded, true, `${here}/mailbox`],
  ["a database in memory", memory, true, `${here}/mailbox`],
  ["PostgreSQL in test mode", { ...postgres, ...testMode }, true, `${here}/mailbox`],
  ["PostgreSQL and the mailbox", { ...postgres, ...mailbox }, true, `${here}/mailbox`],
  ["PostgreSQL", postgres, false, off],
  ["the embedded database without the mailbox", { SALLYPORT_MAILBOX: "false" }, false, off],
  ["a mail server and the embedded database", smtp, false, "through mail.test:587"],
  ["a mail server in test mode", { ...postgres, ...testMode, ...smtp }, false, "through mail.test:587"]
] as const)("shows at startup where emails are sent with %s", ([, environment, isLocal, description]) =>
  Effect.gen(function* () {
    const mail = mailTransport(yield* readSettings(environment))
    expect([mail.isLocal, mail.describe(here)]).toEqual([isLocal, description])
  })
)

it.effect("rejects the mailbox together with a mail server", () =>
  Effect.gen(function* () {
    const { problems } = yield* Effect.flip(readSettings({ ...mailbox, ...smtp }))
    expect(problems).toEqual([
      "SALLYPORT_MAILBOX can't be true with SALLYPORT_SMTP_URL, because emails are sent to that server."
    ])
  })
)
