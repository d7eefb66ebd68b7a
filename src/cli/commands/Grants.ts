import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { allOf } from "../All.ts"
import { byUserAndApp, queryByUserAndApp } from "../ByUserAndApp.ts"
import { confirm, Yes } from "../Confirmation.ts"
import { realmFlag } from "../Flags.ts"
import { print } from "../Output.ts"
import { remoteIn, withRemote } from "../Remote.ts"
import { table } from "../Table.ts"
import { timeText } from "../Time.ts"
import { visible } from "../Visible.ts"

const list = Command.make(
  "list",
  byUserAndApp,
  Effect.fnUntraced(function* ({ realm, ...given }) {
    const { read } = yield* remoteIn(realm)
    const grants = yield* read((sallyport, options) => allOf(sallyport.grants.list(queryByUserAndApp(given), options)))
    const rows = grants.map((grant) => [
      grant.id,
      grant.state,
      grant.user_id,
      grant.client_app_id,
      timeText(grant.created_at),
      timeText(grant.last_used_at),
      grant.scopes.join(" ")
    ])
    yield* print(grants, table([["ID", "STATE", "USER", "APP", "GIVEN", "LAST USED", "SCOPES"], ...rows]))
  })
).pipe(
  Command.withDescription(
    "Lists grants: the access that users have given OAuth clients, with all tokens issued for it. Times are in UTC."
  ),
  Command.withShortDescription("Lists grants"),
  Command.withExamples([{ command: "sallyport grants list --user ada@example.com" }])
)

const id = Argument.String("grant_id").pipe(
  Argument.withDescription("The ID of the grant, such as gr_01m7y8xyj4bmw0ek0bz2h2g9tn")
)

const revoke = Command.make(
  "revoke",
  { id, realm: realmFlag, yes: Yes },
  Effect.fnUntraced(function* ({ id, realm, yes }) {
    const { read, change } = yield* remoteIn(realm)
    const { grant, name } = yield* read(async (sallyport, options) => {
      const grant = await sallyport.grants.get(id, options)
      const { name } = await sallyport.clientApps.get(grant.client_app_id, options)
      return { grant, name }
    })
    yield* confirm(`The tokens of ${name} for ${grant.user_id} (${id}) will stop working.`, name, yes)
    const done = `The grant of ${grant.user_id} to ${visible(name)} (${id}) was revoked.`
    yield* change(done, (sallyport, options) => sallyport.grants.delete(id, options))
    yield* print({ id, revoked: true }, done)
  })
).pipe(
  Command.withDescription(
    "Revokes a grant: its tokens stop working. The consent stays, so the app can request a new grant; to revoke that too, use sallyport consents revoke. Asks for the app's name to confirm; in scripts, use --yes."
  ),
  Command.withShortDescription("Revokes a grant with its tokens"),
  Command.withExamples([{ command: "sallyport grants revoke gr_01m7y8xyj4bmw0ek0bz2h2g9tn" }])
)

/** The `grants` command: access that users have given to OAuth clients. */
export const grants = Command.make("grants").pipe(
  Command.withDescription("Lists and revokes the grants that users have given OAuth clients, with their tokens"),
  Command.withShortDescription("Lists and revokes grants of OAuth clients"),
  Command.withSubcommands([list, revoke]),
  withRemote
)
