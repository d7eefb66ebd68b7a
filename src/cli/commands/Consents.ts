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
    const consents = yield* read((sallyport, options) =>
      allOf(sallyport.consents.list(queryByUserAndApp(given), options))
    )
    const rows = consents.map((consent) => [
      consent.id,
      consent.user_id,
      consent.client_app_id,
      timeText(consent.updated_at),
      [...consent.scopes, ...consent.resources].join(" ")
    ])
    yield* print(consents, table([["ID", "USER", "APP", "GIVEN", "SCOPES AND APIS"], ...rows]))
  })
).pipe(
  Command.withDescription(
    "Lists consents: what users have permanently allowed OAuth clients, so they aren't asked again. Times are in UTC."
  ),
  Command.withShortDescription("Lists consents"),
  Command.withExamples([{ command: "sallyport consents list --app lpl_01m7y8xyj4bmw0ek0bz2h2g9tn" }])
)

const id = Argument.String("consent_id").pipe(
  Argument.withDescription("The ID of the consent, such as cns_01m7y8xyj4bmw0ek0bz2h2g9tn")
)

const revoke = Command.make(
  "revoke",
  { id, realm: realmFlag, yes: Yes },
  Effect.fnUntraced(function* ({ id, realm, yes }) {
    const { read, change } = yield* remoteIn(realm)
    const { consent, name } = yield* read(async (sallyport, options) => {
      const consent = await sallyport.consents.get(id, options)
      const { name } = await sallyport.clientApps.get(consent.client_app_id, options)
      return { consent, name }
    })
    yield* confirm(
      `${name} will have to ask ${consent.user_id} again (${id}), and its tokens for this user stop working.`,
      name,
      yes
    )
    const done = `The consent of ${consent.user_id} to ${visible(name)} (${id}) was revoked with its grants.`
    yield* change(done, (sallyport, options) => sallyport.consents.delete(id, options))
    yield* print({ id, revoked: true }, done)
  })
).pipe(
  Command.withDescription(
    "Revokes a consent and all grants the user has given the app, which must ask again. Asks for the app's name to confirm; in scripts, use --yes."
  ),
  Command.withShortDescription("Revokes a consent with its grants"),
  Command.withExamples([{ command: "sallyport consents revoke cns_01m7y8xyj4bmw0ek0bz2h2g9tn" }])
)

/** The `consents` command: permissions that users have granted to OAuth clients permanently. */
export const consents = Command.make("consents").pipe(
  Command.withDescription("Lists and revokes the consents that users have given OAuth clients"),
  Command.withSubcommands([list, revoke]),
  withRemote
)
