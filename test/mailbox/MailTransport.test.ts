import { Redacted } from "effect"
import { expect, test } from "vitest"
import { mailTransport } from "#server/MailTransport"

const embedded = { _tag: "Embedded", dataDir: "./data" } as const
const memory = { _tag: "Memory" } as const
const postgres = { _tag: "Postgres", url: Redacted.make("postgres://localhost/sallyport") } as const

const here = "http://localhost:3000"
const smtpUrl = Redacted.make("smtp://user:password@mail.test:587")

test.each([
  ["the embedded database", embedded, false, undefined, true, `${here}/mailbox`],
  ["a database in memory", memory, false, undefined, true, `${here}/mailbox`],
  ["PostgreSQL in test mode", postgres, true, undefined, true, `${here}/mailbox`],
  ["PostgreSQL", postgres, false, undefined, false, "off (SALLYPORT_SMTP_URL is not set)"],
  ["a mail server and the embedded database", embedded, false, smtpUrl, false, "through mail.test:587"],
  ["a mail server in test mode", postgres, true, smtpUrl, false, "through mail.test:587"]
])("logs at startup where emails are sent with %s", (_, database, testMode, url, keeps, says) => {
  const mail = mailTransport({ database, testMode, smtpUrl: url, publicUrl: here })
  expect([mail.isLocal, mail.describe(here)]).toEqual([keeps, says])
})
