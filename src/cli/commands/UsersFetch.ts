import { existsSync } from "node:fs"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { confirm, Yes } from "../Confirmation.ts"
import { print } from "../Output.ts"
import { remote } from "../Remote.ts"
import { type Fetched, fetchUsers } from "../users/Fetch.ts"
import { count, duration } from "../users/Messages.ts"

const file = Argument.String("file").pipe(Argument.withDescription("The file to write, as NDJSON"))

const realm = Flag.String("realm").pipe(
  Flag.withMetavar("<id>"),
  Flag.optional,
  Flag.withDescription("The ID of the realm. Default: the realm of the key")
)

const leftOutText = ({ closedOrgs, sharedReferences, pendingEmails }: Fetched["leftOut"]): ReadonlyArray<string> => [
  ...(closedOrgs === 0 ? [] : [`Left out ${count(closedOrgs, "closed org")}.`]),
  ...(pendingEmails === 0 ? [] : [`Left out ${count(pendingEmails, "email change")} that await verification.`]),
  ...(sharedReferences === 0
    ? []
    : [`${count(sharedReferences, "user")} got the ID as reference, because another user has the same reference.`])
]

const CANT_BE_READ =
  "The API doesn't return password hashes, authenticator apps, profiles at providers, API users and memberships without an org. Add hashes to the file if you get them from the provider."

/** `sallyport users fetch` */
export const usersFetch = Command.make(
  "fetch",
  { file, realm, yes: Yes },
  Effect.fnUntraced(function* (given) {
    const from = yield* remote
    if (existsSync(given.file)) {
      yield* confirm(`The file ${given.file} already exists and will be replaced.`, given.file, given.yes)
    }
    const fetched = yield* fetchUsers({ realm: Option.getOrUndefined(given.realm), file: given.file }, from)
    const { users, orgs, memberships, leftOut, resumedAfter, seconds } = fetched
    const json = {
      object: "fetch",
      users,
      users_of_earlier_runs: resumedAfter,
      orgs,
      memberships,
      left_out: {
        closed_orgs: leftOut.closedOrgs,
        pending_emails: leftOut.pendingEmails,
        shared_references: leftOut.sharedReferences
      },
      file: given.file
    }
    const text = `Wrote ${count(users, "user")} to ${given.file} in ${duration(seconds)}.`
    yield* print(json, [text, ...leftOutText(leftOut), CANT_BE_READ].join("\n"))
  })
).pipe(
  Command.withDescription(
    "Reads the users, orgs and memberships of another service with this API, and writes import rows that keep their IDs. Uses only lists, waits if the service asks to (Retry-After), and continues an interrupted run. Import the file with users import."
  ),
  Command.withShortDescription("Reads users from another service with this API"),
  Command.withExamples([{ command: "sallyport users fetch users.ndjson --url https://api.example.com --realm rl_…" }])
)
