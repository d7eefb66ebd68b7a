import { DateTime, Effect } from "effect"
import { type DatabaseRefused, type Facts, facts, type Opened, openBackup } from "#server/backup/Backup"
import type { Environment } from "#server/EnvironmentReader"
import { type Finding, problem } from "../doctor/Finding.ts"
import {
  changesFinding,
  deliveriesFinding,
  migrationsFinding,
  newestEventFinding,
  restoreFinding,
  secretsFinding,
  signingKeysFinding,
  structureFinding,
  tablesFinding
} from "./BackupFindings.ts"

/** Reports a finding as soon as it is available. */
type ReportFinding = (check: string, finding: Finding) => Effect.Effect<void>

/** Converts a failure to read the database into a finding. */
const findingFrom = <A>(
  effect: Effect.Effect<A, DatabaseRefused>,
  finding: (value: A) => Finding
): Effect.Effect<Finding> =>
  effect.pipe(
    Effect.map(finding),
    Effect.catchTag("DatabaseRefused", ({ message }) =>
      Effect.succeed(
        problem(message, "Run sallyport backup verify with the release that made the backup, or a later one.")
      )
    ),
    Effect.catchDefect((defect) =>
      Effect.succeed(
        problem(
          `Can't be read: ${defect instanceof Error ? defect.message : String(defect)}.`,
          "Verify an older backup, and check how this one was made."
        )
      )
    )
  )

/** Migrates a copy to this release, so that the checks see it as a newly started service would. */
const migrateCopy = (opened: Opened, { pending, migrate }: Facts) =>
  Effect.gen(function* () {
    const state = yield* pending
    if (opened._tag !== "Database" && !state.isEmpty && state.pending.length > 0) yield* migrate
    return state
  })

/**
 * Checks whether a service could run on a backup. `path`: a dump or a copy of an embedded database's folder, or
 * undefined to check the configured database itself. Changes only its own copies, which it deletes afterwards.
 */
export const verifyBackup = Effect.fnUntraced(function* (
  environment: Environment,
  path: string | undefined,
  report: ReportFinding
) {
  const opened = yield* openBackup(environment, path)
  const checks = yield* facts(opened)
  const isCopy = opened._tag !== "Database"
  yield* report("restore", restoreFinding(opened, checks.describe))
  const migrations = yield* findingFrom(migrateCopy(opened, checks), (state) => migrationsFinding(state, isCopy))
  yield* report("migrations", migrations)
  if (migrations.verdict === "problem") return []
  yield* report("structure", yield* findingFrom(checks.structure, structureFinding))
  let tables: Effect.Success<Facts["tables"]> = []
  yield* report(
    "tables",
    yield* findingFrom(checks.tables, (all) => {
      tables = all
      return tablesFinding(all)
    })
  )
  yield* report("secrets", yield* findingFrom(checks.secrets, secretsFinding))
  yield* report("signing keys", yield* findingFrom(checks.signingKeys, signingKeysFinding))
  const now = yield* DateTime.now
  yield* report("newest event", yield* findingFrom(checks.newestEvent, (newest) => newestEventFinding(newest, now)))
  yield* report("changes", yield* findingFrom(checks.eventsWithoutChanges, changesFinding))
  yield* report("deliveries", yield* findingFrom(checks.waiting, deliveriesFinding))
  return tables
}, Effect.scoped)
