import { availableParallelism } from "node:os"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readSettings } from "#server/Config"

const problems = (environment: Readonly<Record<string, string>>) =>
  readSettings(environment).pipe(
    Effect.as<ReadonlyArray<string>>([]),
    Effect.catch((refused) => Effect.succeed(refused.problems))
  )

const SECRET = "a-secret-of-more-than-thirty-two-characters"

it.effect("C62: the service runs one process by default, or the number in SALLYPORT_WORKERS, or one per core", () =>
  Effect.gen(function* () {
    const postgres = { DATABASE_URL: "postgres://u:p@db/x", SALLYPORT_SECRET: SECRET }
    const workers = (environment: Readonly<Record<string, string>>) =>
      Effect.map(readSettings({ ...postgres, ...environment }), (settings) => settings.workers)
    expect(yield* workers({})).toBe(1)
    expect(yield* workers({ SALLYPORT_WORKERS: "3" })).toBe(3)
    expect(yield* workers({ SALLYPORT_WORKERS: "auto" })).toBe(availableParallelism())
    for (const SALLYPORT_WORKERS of ["0", "65", "1.5", "two"]) {
      expect(yield* problems({ ...postgres, SALLYPORT_WORKERS })).toEqual([
        "SALLYPORT_WORKERS must be auto or a whole number from 1 to 64."
      ])
    }
  })
)

it.effect("C62: the embedded database and test mode allow only one process", () =>
  Effect.gen(function* () {
    const embedded = { DATABASE_URL: "memory://" }
    const test = { DATABASE_URL: "postgres://u:p@db/x", SALLYPORT_SECRET: SECRET, SALLYPORT_TEST_MODE: "on" }
    for (const environment of [{}, embedded, test]) {
      expect((yield* readSettings({ ...environment, SALLYPORT_WORKERS: "auto" })).workers).toBe(1)
      expect((yield* readSettings({ ...environment, SALLYPORT_WORKERS: "1" })).workers).toBe(1)
    }
    for (const environment of [{}, embedded]) {
      expect(yield* problems({ ...environment, SALLYPORT_WORKERS: "2" })).toEqual([
        "SALLYPORT_WORKERS must be 1 or auto with the embedded database, which only one process can use: set DATABASE_URL."
      ])
    }
    expect(yield* problems({ ...test, SALLYPORT_WORKERS: "2" })).toEqual([
      "SALLYPORT_WORKERS must be 1 or auto in test mode, because each process would have its own clock."
    ])
  })
)

it.effect("C72: SALLYPORT_DATABASE_POOL_SIZE is accepted only on PostgreSQL and has no default", () =>
  Effect.gen(function* () {
    const postgres = { DATABASE_URL: "postgres://u:p@db/x", SALLYPORT_SECRET: SECRET }
    expect((yield* readSettings(postgres)).poolSize).toBe(undefined)
    expect((yield* readSettings({ ...postgres, SALLYPORT_DATABASE_POOL_SIZE: "25" })).poolSize).toBe(25)
    for (const SALLYPORT_DATABASE_POOL_SIZE of ["0", "1", "501", "2.5", "many"]) {
      expect(yield* problems({ ...postgres, SALLYPORT_DATABASE_POOL_SIZE })).toEqual([
        "SALLYPORT_DATABASE_POOL_SIZE must be a whole number from 2 to 500."
      ])
    }
    for (const environment of [{}, { DATABASE_URL: "memory://" }]) {
      expect(yield* problems({ ...environment, SALLYPORT_DATABASE_POOL_SIZE: "10" })).toEqual([
        "SALLYPORT_DATABASE_POOL_SIZE requires PostgreSQL: the embedded database has one connection."
      ])
    }
  })
)

it.effect("C222, C223: a pooler is accepted by its mode, and a wait for the database may last up to an hour", () =>
  Effect.gen(function* () {
    const postgres = { DATABASE_URL: "postgres://u:p@db/x", SALLYPORT_SECRET: SECRET }
    expect(yield* readSettings(postgres)).toMatchObject({
      database: { pooler: "none" },
      databaseWait: 60,
      answerWithin: 9
    })
    const pooled = { ...postgres, SALLYPORT_DATABASE_POOLER: "transaction" }
    expect(yield* readSettings(pooled)).toMatchObject({ database: { pooler: "transaction" } })
    expect(
      yield* problems({ ...postgres, SALLYPORT_DATABASE_POOLER: "session", SALLYPORT_DATABASE_WAIT_SECONDS: "3601" })
    ).toEqual([
      "SALLYPORT_DATABASE_POOLER must be none or transaction.",
      "SALLYPORT_DATABASE_WAIT_SECONDS must be a whole number from 0 to 3600."
    ])
  })
)
