import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readSettings } from "#server/Config"

const SECRET = "a-secret-of-more-than-thirty-two-characters"

const problems = (environment: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readSettings(environment)), ({ problems }) => problems)

it.effect("A database URL whose password is not percent-encoded is refused without repeating any of it", () =>
  Effect.gen(function* () {
    const sentence =
      "DATABASE_URL must be postgres://user:password@host:5432/name. In the user name and the password, write % as %25, @ as %40, : as %3A, / as %2F, ? as %3F and # as %23."
    for (const password of [
      "hid@den",
      "12/hidden",
      "hid/den",
      "12?hidden",
      "hid#den",
      "hid%zen",
      "hid%ffen",
      "1/hid:den"
    ]) {
      const DATABASE_URL = `postgres://sallyport:${password}@db.internal:5432/sallyport`
      expect([password, yield* problems({ DATABASE_URL, SALLYPORT_SECRET: SECRET })]).toEqual([password, [sentence]])
    }
    for (const DATABASE_URL of [
      "postgres://sallyport:hid%40den%2F%3A%3F%23%25@db.internal:5432/sallyport?sslmode=require",
      "postgresql://sallyport@[::1]/sallyport",
      "postgres:///sallyport?host=/var/run/postgresql"
    ]) {
      expect((yield* readSettings({ DATABASE_URL, SALLYPORT_SECRET: SECRET })).database._tag).toBe("Postgres")
    }
  })
)
