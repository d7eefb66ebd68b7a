import { Effect } from "effect"
import { Command } from "effect/cli"
import { explainDatabase } from "../DatabaseFailure.ts"
import { Environment } from "../Environment.ts"
import { print } from "../Output.ts"
import { withRemote } from "../Remote.ts"
import { readOnly } from "../WorkDone.ts"
import { rotate } from "./SecretsRotate.ts"

const about =
  "Shows which keys encrypt the secrets in the database, and whether old keys can be removed. Reads the same settings as the service."

const report = Effect.gen(function* () {
  const { all } = yield* Environment
  const { reportSecrets } = yield* Effect.promise(() => import("#server/SecretsReport"))
  const { counts, keys, table, verdict } = yield* explainDatabase(reportSecrets(all))
  const rows = counts.map(({ column, keyId, state, count }) => ({
    table: column.table,
    column: column.column,
    key: keyId,
    state,
    rows: count
  }))
  yield* print({ keys, secrets: rows, verdict }, `${table}\n\n${verdict}`)
}).pipe(readOnly)

const status = Command.make("status", {}, () => report).pipe(
  Command.withDescription(about),
  Command.withShortDescription("Shows which keys encrypt secrets at rest")
)

/** The keys that encrypt secrets at rest. Without a subcommand, prints their status. */
export const secrets = Command.make("secrets", {}, () => report).pipe(
  Command.withDescription(about),
  Command.withShortDescription("Shows and rotates the keys that encrypt secrets at rest"),
  Command.withSubcommands([status, rotate]),
  withRemote
)
