import { Command } from "effect/cli"
import { withRemote } from "../Remote.ts"
import { usersExport } from "./UsersExport.ts"
import { usersFetch } from "./UsersFetch.ts"
import { usersImport } from "./UsersImport.ts"

/** The `users` command: bulk import and export. */
export const users = Command.make("users").pipe(
  Command.withDescription("Imports and exports users"),
  Command.withSubcommands([usersImport, usersExport, usersFetch]),
  withRemote
)
