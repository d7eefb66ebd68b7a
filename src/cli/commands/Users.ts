import { Command } from "effect/cli"
import { withRemote } from "../Remote.ts"
import { usersActivate, usersDeactivate, usersResetPassword, usersSessions } from "./UsersAccess.ts"
import { usersBlocks, usersUnblock } from "./UsersBlocks.ts"
import { usersCancelDeletion } from "./UsersDeletion.ts"
import { usersExport } from "./UsersExport.ts"
import { usersFetch } from "./UsersFetch.ts"
import { usersImport } from "./UsersImport.ts"
import { usersGet, usersList } from "./UsersList.ts"
import { usersSendEmail } from "./UsersMails.ts"

/** The `users` command. */
export const users = Command.make("users").pipe(
  Command.withDescription(
    "Lists and shows users, controls their access, and imports and exports them. sallyport credentials manages their login methods."
  ),
  Command.withShortDescription("Lists, shows, imports and exports users, and controls their access"),
  Command.withSubcommands([
    usersList,
    usersGet,
    usersDeactivate,
    usersActivate,
    usersBlocks,
    usersUnblock,
    usersCancelDeletion,
    usersResetPassword,
    usersSendEmail,
    usersSessions,
    usersImport,
    usersExport,
    usersFetch
  ]),
  withRemote
)
