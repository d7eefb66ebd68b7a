import { Effect } from "effect"
import { Command } from "effect/cli"

const about =
  "Shows which keys encrypt the secrets in the database, and whether an old key can go. Reads the same settings as the service."

const report = Effect.flatMap(
  Effect.promise(() => import("#server/SecretsReport")),
  ({ reportSecrets }) => reportSecrets
)

const status = Command.make("status", {}, () => report).pipe(Command.withDescription(about))

/** The keys that encrypt secrets at rest. Without a subcommand: their status. */
export const secrets = Command.make("secrets", {}, () => report).pipe(
  Command.withDescription(about),
  Command.withSubcommands([status])
)
