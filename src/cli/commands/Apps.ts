import { Effect } from "effect"
import { Command } from "effect/cli"
import { allOf } from "../All.ts"
import { shownApp } from "../apps/ShownApp.ts"
import { confirm, Yes } from "../Confirmation.ts"
import { realmFlag } from "../Flags.ts"
import { print } from "../Output.ts"
import { remoteIn, withRemote } from "../Remote.ts"
import { table } from "../Table.ts"
import { visible } from "../Visible.ts"
import { appId, appsCreate, appsRotateSecret, appsUpdate } from "./AppsChanges.ts"

const list = Command.make(
  "list",
  { realm: realmFlag },
  Effect.fnUntraced(function* ({ realm }) {
    const { read } = yield* remoteIn(realm)
    const query = { max_results: 100, sort: "name" as const }
    const apps = yield* read((sallyport, options) => allOf(sallyport.clientApps.list(query, options)))
    const rows = apps.map(({ id, name, client_type, login_url }) => [id, name, client_type, login_url ?? ""])
    yield* print(apps, table([["ID", "NAME", "TYPE", "LOGIN PAGE"], ...rows]))
  })
).pipe(
  Command.withDescription("Lists the apps of a realm by name: apps with hosted pages, and OAuth clients"),
  Command.withShortDescription("Lists apps and OAuth clients")
)

const get = Command.make(
  "get",
  { id: appId, realm: realmFlag },
  Effect.fnUntraced(function* ({ id, realm }) {
    const { read } = yield* remoteIn(realm)
    const app = yield* read((sallyport, options) => sallyport.clientApps.get(id, options))
    yield* print(app, shownApp(app))
  })
).pipe(
  Command.withDescription(
    "Shows an app's most important settings, or all of them with --json. Never shows its secret."
  ),
  Command.withShortDescription("Shows an app or OAuth client")
)

const remove = Command.make(
  "delete",
  { id: appId, realm: realmFlag, yes: Yes },
  Effect.fnUntraced(function* ({ id, realm, yes }) {
    const { read, change } = yield* remoteIn(realm)
    const { name, client_type } = yield* read((sallyport, options) => sallyport.clientApps.get(id, options))
    const end =
      client_type === "standard"
        ? "and its pages will be deleted immediately."
        : "will be deleted immediately. Its tokens stop working, and nobody can log in to it anymore."
    yield* confirm(`The app ${name} (${id}) ${end}`, name, yes)
    const done = `The app ${visible(name)} (${id}) was deleted.`
    yield* change(done, (sallyport, options) => sallyport.clientApps.delete(id, options))
    yield* print({ id, deleted: true }, done)
  })
).pipe(
  Command.withDescription(
    "Deletes an app with its pages, or an OAuth client with its tokens. Asks for the app's name to confirm; in scripts, use --yes. Requires a key of level admin_realm."
  ),
  Command.withShortDescription("Deletes an app or OAuth client"),
  Command.withExamples([{ command: "sallyport apps delete lpl_01m7y8xyj4bmw0ek0bz2h2g9tn" }])
)

/** The `apps` command: connected apps and OAuth clients. */
export const apps = Command.make("apps").pipe(
  Command.withDescription(
    "Lists, shows, registers, changes and deletes the apps that users log in to: apps with hosted pages, and OAuth clients"
  ),
  Command.withShortDescription("Registers and manages apps and OAuth clients"),
  Command.withSubcommands([list, get, appsCreate, appsUpdate, appsRotateSecret, remove]),
  withRemote
)
