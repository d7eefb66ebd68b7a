import { expect, it, test } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { readSettings } from "#server/Config"
import { changedUrl, describeUrl, urlsOf } from "#sql/HostList"

const SECRET = "a-secret-of-more-than-thirty-two-characters"

const problems = (environment: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readSettings(environment)), ({ problems }) => problems)

it.effect("rejects a database URL whose password is not percent-encoded, without repeating any part of it", () =>
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

it.effect("C244: requires a replica and its primary to be PostgreSQL, and a replica wait of 0 to 5000 ms", () =>
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

it.effect(
  "C249: accepts several hosts in libpq syntax, and rejects invalid lists without repeating any part of the URL",
  () =>
    Effect.gen(function* () {
      const settings = (DATABASE_URL: string, more: Readonly<Record<string, string>> = {}) => ({
        DATABASE_URL,
        SALLYPORT_SECRET: SECRET,
        ...more
      })
      for (const url of [
        "postgres://u:hid,den@db1:5432,db2:5433/x",
        "postgres://u:p@db1,db2,[::1]:5433/x?sslmode=verify-full&target_session_attrs=read-write",
        "postgres://u@%2Frun%2Fone,%2Frun%2Ftwo/x?target_session_attrs=primary"
      ]) {
        const { database } = yield* readSettings(settings(url))
        expect(database._tag === "Postgres" ? Redacted.value(database.url) : "").toBe(url)
      }
      const commas =
        "DATABASE_URL must separate hosts with commas, and give each its port unless that is 5432, such as postgres://user:password@db1:5432,db2:5432/name."
      const parameters =
        "DATABASE_URL must list several hosts as postgres://user:password@db1:5432,db2:5432/name, not in the parameters host and port."
      for (const [url, problem] of [
        ["postgres://u:hidden@db1,,db2/x", commas],
        ["postgres://u:hidden@db1:5432,db2:x/x", commas],
        ["postgres://u:hidden@db1:5432,db2:70000/x", commas],
        ["postgres://u:hidden@db1:5432,/x", commas],
        ["postgres:///x?host=db1,db2", parameters],
        ["postgres://u:hidden@db1,db2/x?port=5433", parameters],
        ["postgres://u:hidden@db1,DB1:5432/x", "DATABASE_URL names the same host twice."],
        [
          "postgres://u:hidden@db1,db2/x?target_session_attrs=any",
          "DATABASE_URL only allows read-write or primary as target_session_attrs, because every connection leads to the server that accepts writes."
        ],
        [
          "postgres://u:hidden@db1,db2/x?sslmode=prefer",
          "DATABASE_URL names several hosts, so its sslmode must be disable, require, verify-ca or verify-full."
        ]
      ] as const) {
        expect([url, yield* problems(settings(url))]).toEqual([url, [problem]])
      }
      const list = "postgres://u:p@db1,db2/x"
      expect(yield* problems(settings(list, { SALLYPORT_DATABASE_POOLER: "transaction" }))).toEqual([
        "SALLYPORT_DATABASE_POOLER=transaction requires a single host in DATABASE_URL, because the pooler must follow the primary."
      ])
      expect(yield* problems(settings(list, { DATABASE_REPLICA_URL: list }))).toEqual([
        "DATABASE_REPLICA_URL must name one host."
      ])
    })
)

test("C249: converts a list of hosts to one URL per host and hides the password", () => {
  const list = "postgres://u:a,b@db1:5433,db2/x?sslmode=require"
  expect(urlsOf(list)).toEqual([
    "postgres://u:a,b@db1:5433/x?sslmode=require",
    "postgres://u:a,b@db2/x?sslmode=require"
  ])
  expect(urlsOf("postgres://u:a,b@db1/x")).toEqual(["postgres://u:a,b@db1/x"])
  const change = (url: URL) => {
    url.password = "new"
  }
  expect(changedUrl(list, change)).toBe("postgres://u:new@db1:5433,db2/x?sslmode=require")
  expect(changedUrl("postgres://u:p@db1/x", change)).toBe("postgres://u:new@db1/x")
  expect(changedUrl("nothing", change)).toBeUndefined()
  expect(describeUrl(list)).toBe("PostgreSQL at db1:5433,db2/x")
  expect(describeUrl("postgres:///x?host=/run/postgresql")).toBe("PostgreSQL at /run/postgresql/x")
})
