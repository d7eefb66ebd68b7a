import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import type { Credential } from "#client/generated/types/Credential"
import { confirm, Yes } from "../Confirmation.ts"
import { realmFlag } from "../Flags.ts"
import { print } from "../Output.ts"
import { remoteIn, withRemote } from "../Remote.ts"
import { table } from "../Table.ts"
import { timeText } from "../Time.ts"
import { visible } from "../Visible.ts"

const user = Argument.String("user").pipe(Argument.withDescription("The user: an ID, email or username"))

/** The details of a login method, besides its type and name. */
const aboutOf = (credential: Credential): string => {
  const { credential_type: type, codes_left, last_used_at, state, provider_user_id } = credential
  if (type === "recovery_codes") return `${codes_left ?? 0} left`
  if (type === "passkey") return `last used ${timeText(last_used_at ?? null, "never")}`
  if (type === "totp") return state === "active" ? "" : "not verified yet"
  return provider_user_id ?? ""
}

const list = Command.make(
  "list",
  { user, realm: realmFlag },
  Effect.fnUntraced(function* ({ user, realm }) {
    const { read } = yield* remoteIn(realm)
    const credentials = yield* read(async (sallyport, options) => {
      const found = await sallyport.users.get(user, {}, options)
      return Promise.all(found.credentials.map(({ id }) => sallyport.credentials.get(id, options)))
    })
    const rows = credentials.map((one) => [one.id, one.credential_type, one.name ?? "", aboutOf(one)])
    yield* print(credentials, table([["ID", "TYPE", "NAME", "DETAILS"], ...rows]))
  })
).pipe(
  Command.withDescription(
    "Lists a user's login methods: password, passkeys, authenticator apps, recovery codes, external accounts. Times are in UTC."
  ),
  Command.withShortDescription("Lists a user's login methods"),
  Command.withExamples([{ command: "sallyport credentials list ada@example.com" }])
)

const id = Argument.String("credential_id").pipe(
  Argument.withDescription("The ID of the login method, such as crd_01m7y8xyj4bmw0ek0bz2h2g9tn")
)

const remove = Command.make(
  "delete",
  { id, realm: realmFlag, yes: Yes },
  Effect.fnUntraced(function* ({ id, realm, yes }) {
    const { read, change } = yield* remoteIn(realm)
    const { credential_type, name, user_id } = yield* read((sallyport, options) =>
      sallyport.credentials.get(id, options)
    )
    const what = `${credential_type}${name === undefined || name === null ? "" : ` ${name}`} (${id}) of ${user_id}`
    yield* confirm(
      `The ${what} will stop working, even if it is the user's last login method.`,
      name ?? credential_type,
      yes
    )
    const done = `The ${visible(what)} was deleted.`
    yield* change(done, (sallyport, options) => sallyport.credentials.delete(id, options))
    yield* print({ id, deleted: true }, done)
  })
).pipe(
  Command.withDescription(
    "Deletes a login method, such as a passkey on a lost phone. Asks for its name (or its type if it has none) to confirm; in scripts, use --yes. Requires a key of level write."
  ),
  Command.withShortDescription("Deletes a login method"),
  Command.withExamples([{ command: "sallyport credentials delete crd_01m7y8xyj4bmw0ek0bz2h2g9tn" }])
)

/** The `credentials` command: login methods of users. */
export const credentials = Command.make("credentials").pipe(
  Command.withDescription("Lists and deletes login methods of users, such as passkeys and authenticator apps"),
  Command.withShortDescription("Lists and deletes login methods of users, such as passkeys"),
  Command.withSubcommands([list, remove]),
  withRemote
)
