import { Effect, Redacted, Stream } from "effect"
import type { Fetch } from "#client/Fetch"
import { inspectSettings } from "#server/Config"
import type { Environment } from "#server/EnvironmentReader"
import { DatabaseRefused, inspectPostgres } from "#server/inspection/DatabaseInspection"
import { checks } from "./Checks.ts"
import { type Finding, problem } from "./Finding.ts"
import { askReadiness } from "./ServiceAnswer.ts"
import { readStored } from "./Stored.ts"
import type { Check, Place, Subject } from "./Subject.ts"

/** What is to be looked at besides the settings. */
export interface Asked {
  readonly environment: Environment
  /** Where the service runs; undefined: at its port on this machine, if it does. */
  readonly url: string | undefined
  readonly key: string | undefined
  readonly mailTo: string | undefined
  readonly webhookUrl: string | undefined
  readonly fetch: Fetch
}

/** A finding with the name of its check, and what it was found in. */
export interface Found extends Finding {
  readonly place: Place
  readonly check: string
}

/** How long one check may take. Those of the network give up before by themselves. */
const LIMIT = "25 seconds"

const subjectOf = Effect.fnUntraced(function* ({ environment, url, key, mailTo, webhookUrl, fetch }: Asked) {
  const { settings, problems } = yield* inspectSettings(environment)
  const { database } = settings
  const postgres = yield* Effect.cached(
    database._tag === "Postgres"
      ? inspectPostgres(settings, Redacted.make(Redacted.value(database.url)))
      : Effect.fail(new DatabaseRefused({ reason: "Broken", message: "The database is not PostgreSQL." }))
  )
  const isCurrent = Effect.match(postgres, {
    onFailure: () => false,
    onSuccess: ({ migrations, pooler }) =>
      "pending" in migrations &&
      migrations.pending.length === 0 &&
      pooler.refuses === undefined &&
      !pooler.isPerTransaction
  })
  const own = url ?? `http://localhost:${settings.port}`
  const answer = yield* Effect.cached(askReadiness(fetch, own, key))
  const isOwn = own === settings.publicUrl
  return {
    environment,
    settings,
    problems,
    postgres,
    stored: yield* Effect.cached(readStored(settings, isCurrent)),
    service: {
      url: own,
      isNamed: url !== undefined,
      hasKey: key !== undefined,
      answer,
      publicAnswer: isOwn ? answer : yield* Effect.cached(askReadiness(fetch, settings.publicUrl, key))
    },
    mailTo,
    webhookUrl
  } satisfies Subject
})

/** Runs one check within its time. A check that breaks is a problem, too. */
const runCheck = (subject: Subject, { name, place, run }: Check): Effect.Effect<ReadonlyArray<Found>> =>
  run(subject).pipe(
    Effect.timeoutOrElse({
      duration: LIMIT,
      orElse: () => Effect.succeed(problem(`This took longer than ${LIMIT}.`, "Run sallyport doctor again."))
    }),
    Effect.catchDefect((defect) =>
      Effect.succeed(
        problem(
          `This could not be checked: ${defect instanceof Error ? defect.message : String(defect)}.`,
          "Run sallyport doctor again. If it stays like this, report it."
        )
      )
    ),
    Effect.map((found) => [found].flat().map((finding) => ({ check: name, place, ...finding })))
  )

/** Looks at everything at once. The findings come in the order of the checks, each as soon as those before it are there. */
export const examine = (asked: Asked): Stream.Stream<Found> =>
  Stream.unwrap(
    Effect.map(subjectOf(asked), (subject) =>
      Stream.fromIterable(checks).pipe(
        Stream.mapEffect((check) => runCheck(subject, check), { concurrency: "unbounded" }),
        Stream.flatMap((found) => Stream.fromIterable(found))
      )
    )
  )
