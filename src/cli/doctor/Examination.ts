import { Effect, Redacted, Stream } from "effect"
import type { Fetch } from "#client/Fetch"
import { inspectSettings, type Settings } from "#server/Config"
import type { Environment } from "#server/EnvironmentReader"
import { DatabaseRefused, inspectEmbeddedFolder, inspectPostgres } from "#server/inspection/DatabaseInspection"
import { encryptionKeys } from "#server/SecretFile"
import { keyOf } from "#server/SecretKeys"
import { checks } from "./Checks.ts"
import { type Finding, problem } from "./Finding.ts"
import { fetchReadiness } from "./ServiceResponse.ts"
import { readStored } from "./Stored.ts"
import type { Check, Place, Subject } from "./Subject.ts"

/** The checks to make besides those of the settings. */
export interface ExaminationOptions {
  readonly environment: Environment
  /** The URL of the service, or undefined to check its port on this machine, if it is running. */
  readonly url: string | undefined
  readonly key: string | undefined
  readonly mailTo: string | undefined
  readonly webhookUrl: string | undefined
  readonly fetch: Fetch
}

/** A finding with the name of its check and the place it was found in. */
export interface ReportedFinding extends Finding {
  readonly place: Place
  readonly check: string
}

/** The time limit of a check. Network checks have shorter timeouts. */
const LIMIT = "25 seconds"

/** The IDs of the encryption keys in these settings. Reads only existing files and tables. */
const ownKeysOf = Effect.fnUntraced(function* (settings: Settings) {
  const { database, secrets } = settings
  if (database._tag === "Memory" || (database._tag === "Postgres" && secrets.length === 0)) return undefined
  if (database._tag === "Embedded") {
    const { hasDatabase, hasSecret } = inspectEmbeddedFolder(database.dataDir)
    if (!hasDatabase || (!hasSecret && secrets.length === 0)) return []
  }
  return (yield* encryptionKeys(settings)).map((key) => keyOf(key).id)
})

const subjectOf = Effect.fnUntraced(function* ({
  environment,
  url,
  key,
  mailTo,
  webhookUrl,
  fetch
}: ExaminationOptions) {
  const { settings, problems } = yield* inspectSettings(environment)
  const { database } = settings
  const postgres = yield* Effect.cached(
    database._tag === "Postgres"
      ? inspectPostgres(settings, Redacted.make(Redacted.value(database.url)))
      : Effect.fail(new DatabaseRefused({ reason: "Broken", message: "The database is not PostgreSQL." }))
  )
  const form = Effect.match(postgres, {
    onFailure: () => "unreadable" as const,
    onSuccess: ({ migrations, pooler }) => {
      if (!("pending" in migrations)) return "unreadable"
      if (migrations.pending.length > 0 && migrations.pending.length === migrations.all) return "empty"
      const isPooled = pooler.expected === "none" && (pooler.refuses !== undefined || pooler.isPerTransaction)
      return migrations.pending.length === 0 && !isPooled ? "current" : "unreadable"
    }
  })
  const own = url ?? `http://localhost:${settings.port}`
  const answer = yield* Effect.cached(fetchReadiness(fetch, own, key))
  const isOwn = own === settings.publicUrl
  return {
    environment,
    settings,
    problems,
    postgres,
    stored: yield* Effect.cached(readStored(settings, form)),
    service: {
      url: own,
      isNamed: url !== undefined,
      hasKey: key !== undefined,
      ownKeys: yield* ownKeysOf(settings),
      answer,
      publicAnswer: isOwn ? answer : yield* Effect.cached(fetchReadiness(fetch, settings.publicUrl, key))
    },
    mailTo,
    webhookUrl
  } satisfies Subject
})

/** Runs a check within the time limit. A crashing check is reported as a problem. */
const runCheck = (subject: Subject, { name, place, run }: Check): Effect.Effect<ReadonlyArray<ReportedFinding>> =>
  run(subject).pipe(
    Effect.timeoutOrElse({
      duration: LIMIT,
      orElse: () => Effect.succeed(problem(`The check took longer than ${LIMIT}.`, "Run sallyport doctor again."))
    }),
    Effect.catchDefect((defect) =>
      Effect.succeed(
        problem(
          `The check failed: ${defect instanceof Error ? defect.message : String(defect)}.`,
          "Run sallyport doctor again. If the problem persists, please report it."
        )
      )
    ),
    Effect.map((found) => [found].flat().map((finding) => ({ check: name, place, ...finding })))
  )

/** Runs all checks concurrently. Findings are emitted in the order of the checks, as early as possible. */
export const examine = (options: ExaminationOptions): Stream.Stream<ReportedFinding> =>
  Stream.unwrap(
    Effect.map(subjectOf(options), (subject) =>
      Stream.fromIterable(checks).pipe(
        Stream.mapEffect((check) => runCheck(subject, check), { concurrency: "unbounded" }),
        Stream.flatMap((found) => Stream.fromIterable(found))
      )
    )
  )
