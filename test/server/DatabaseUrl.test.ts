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

it.effect("C244: a replica is a PostgreSQL beside a PostgreSQL, for which reads wait for 0 to 5000 milliseconds", () =>
  Effect.gen(function* () {
    const own = { DATABASE_URL: "postgres://u:p@db/x", SALLYPORT_SECRET: SECRET }
    const replica = { DATABASE_REPLICA_URL: "postgres://u:p@replica/x" }
    expect((yield* readSettings({ ...own, ...replica })).database).toMatchObject({
      replica: { maxLagMillis: 100 }
    })
    expect((yield* readSettings(own)).database).toMatchObject({ replica: undefined })
    for (const [environment, problem] of [
      [replica, "DATABASE_REPLICA_URL requires PostgreSQL: the embedded database has no replica."],
      [
        { ...replica, DATABASE_URL: "memory://" },
        "DATABASE_REPLICA_URL requires PostgreSQL: the embedded database has no replica."
      ],
      [{ ...own, DATABASE_REPLICA_URL: "memory://" }, "DATABASE_REPLICA_URL must start with postgres://."],
      [
        { ...own, DATABASE_REPLICA_URL: "postgres://u:hid@den@replica/x" },
        "DATABASE_REPLICA_URL must be postgres://user:password@host:5432/name. In the user name and the password, write % as %25, @ as %40, : as %3A, / as %2F, ? as %3F and # as %23."
      ],
      [
        { ...own, ...replica, SALLYPORT_REPLICA_MAX_LAG_MILLISECONDS: "5001" },
        "SALLYPORT_REPLICA_MAX_LAG_MILLISECONDS must be a whole number from 0 to 5000."
      ]
    ] as const) {
      expect(yield* problems(environment)).toEqual([problem])
    }
  })
)
