import { expect, test } from "vitest"
import { lifetimeInWords } from "#core/mail/MailLifetimes"

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test.each([
  [30 * DAY, "30 days", "30 días"],
  [3 * DAY - 1, "3 days", "3 días"],
  [3 * DAY - HOUR, "3 days", "3 días"],
  [3 * DAY - 2 * HOUR, "2 days", "2 días"],
  [2 * DAY, "2 days", "2 días"],
  [47 * HOUR, "47 hours", "47 horas"],
  [24 * HOUR - 2 * MINUTE, "24 hours", "24 horas"],
  [HOUR, "1 hour", "1 hora"],
  [HOUR - 30, "1 hour", "1 hora"],
  [HOUR - 2 * MINUTE, "58 minutes", "58 minutos"],
  [2 * MINUTE, "2 minutes", "2 minutos"],
  [30, "1 minute", "1 minuto"],
  [0, "1 minute", "1 minuto"]
])("a lifetime of %d seconds is displayed as %s", (seconds, english, spanish) => {
  expect([lifetimeInWords("en", seconds), lifetimeInWords("es", seconds)]).toEqual([english, spanish])
})
