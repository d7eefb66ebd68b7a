import { Duration, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { payload } from "#api/realms/Fields"
import type { Realm } from "#client/generated/types/Realm"
import type { RealmInput } from "#client/generated/types/RealmInput"
import { jwtAlgorithms } from "#domain/JwtKey"
import { realmStates } from "#domain/Realm"
import { allOf } from "../All.ts"
import { parsed, WrongUsage } from "../CommandFailed.ts"
import { confirm, Yes } from "../Confirmation.ts"
import { fields } from "../Fields.ts"
import { severalFlag, switchFlag } from "../Flags.ts"
import { print } from "../Output.ts"
import { remote, withRemote } from "../Remote.ts"
import { Screen } from "../Screen.ts"
import { settingsOf } from "../Settings.ts"
import { table } from "../Table.ts"
import { timeText } from "../Time.ts"
import { visible } from "../Visible.ts"
import { readOnly } from "../WorkDone.ts"

const state = Flag.Literals("state", realmStates).pipe(
  Flag.withMetavar("<state>"),
  Flag.optional,
  Flag.withDescription("Only realms in this state. Default: all")
)

const list = Command.make(
  "list",
  { state },
  Effect.fnUntraced(function* ({ state }) {
    const { read } = yield* remote
    const query = { max_results: 1_000, state: Option.getOrUndefined(state) }
    const realms = yield* read((sallyport, options) => allOf(sallyport.realms.list(query, options)))
    const rows = realms.map(({ id, name, state, reference }) => [id, name, state, reference ?? ""])
    yield* print(realms, table([["ID", "NAME", "STATE", "REFERENCE"], ...rows]))
  }, readOnly)
).pipe(
  Command.withDescription("Lists realms by name. A key that is bound to a realm sees only that realm."),
  Command.withShortDescription("Lists realms")
)

/** How long a shell waits for the realms. */
const COMPLETION_SECONDS = 2

/** `sallyport realms complete`, for shells: the IDs and names of all active realms. Prints nothing if they can't be read in time. */
const complete = Command.make(
  "complete",
  {},
  Effect.fnUntraced(function* () {
    const { read } = yield* remote
    const list = read((sallyport, options) =>
      allOf(sallyport.realms.list({ max_results: 1_000, state: "active" }, options))
    )
    const realms = yield* Effect.timeoutOption(list, Duration.seconds(COMPLETION_SECONDS))
    const lines = Option.getOrElse(realms, () => []).map(({ id, name }) => `${id}\t${visible(name)}\n`)
    yield* (yield* Screen).out(lines.join(""))
  }, readOnly)
).pipe(Command.withDescription("Prints the IDs and names of realms, for shell completion"), Command.unlisted)

const id = Argument.String("realm_id").pipe(
  Argument.withDescription("The ID of the realm, such as rl_01m7y8xyj4bmw0ek0bz2h2g9tn")
)

const shownRealm = (realm: Realm): string =>
  fields({
    ID: realm.id,
    Name: realm.name,
    State: realm.state,
    Environment: realm.environment,
    Reference: realm.reference ?? "",
    "Sign-up": realm.signup,
    Usernames: realm.username_validation_human,
    Tokens: `${realm.jwt_algo}, sessions of ${realm.session_minutes} minutes`,
    Created: timeText(realm.created_at)
  })

const get = Command.make(
  "get",
  { id },
  Effect.fnUntraced(function* ({ id }) {
    const { read } = yield* remote
    const realm = yield* read((sallyport, options) => sallyport.realms.get(id, {}, options))
    yield* print(realm, shownRealm(realm))
  }, readOnly)
).pipe(
  Command.withDescription("Shows a realm's most important settings, or all of them with --json"),
  Command.withShortDescription("Shows a realm")
)

const name = Argument.String("name").pipe(Argument.withDescription("The name, which users see on pages and in emails"))

const reference = Flag.String("reference").pipe(
  Flag.withMetavar("<text>"),
  Flag.optional,
  Flag.withDescription("Your own ID for the realm. Default: none")
)

const algorithm = Flag.Literals("jwt-algo", jwtAlgorithms).pipe(
  Flag.withMetavar("<algorithm>"),
  Flag.optional,
  Flag.withDescription("The algorithm that signs tokens. Default: rs256")
)

const test = switchFlag("test", "Label it as a test realm; this doesn't change how it works")

const create = Command.make(
  "create",
  { name, reference, algorithm, test },
  Effect.fnUntraced(function* ({ name, reference, algorithm, test }) {
    const { change } = yield* remote
    const realm = yield* change(`The realm ${name} was created.`, (sallyport, options) =>
      sallyport.realms.create(
        {
          name,
          reference: Option.getOrUndefined(reference),
          jwt_algo: Option.getOrUndefined(algorithm),
          environment: test ? "test" : "live"
        },
        options
      )
    )
    yield* print(realm, shownRealm(realm))
  })
).pipe(
  Command.withDescription(
    "Creates a realm, which contains users, orgs and everything else. Requires a key of level admin_all_realms."
  ),
  Command.withShortDescription("Creates a realm"),
  Command.withExamples([{ command: 'sallyport realms create "Acme" --reference acme' }])
)

const set = severalFlag(
  "set",
  "setting=value",
  'What to change, by its name in the API: session_minutes=60, signup=closed, \'custom={"plan":"pro"}\'. Can be repeated'
)

const settable = {
  plural: "Realms",
  names: Object.keys(payload.fields.realm.fields),
  example: "session_minutes=60"
}

const update = Command.make(
  "update",
  { id, set },
  Effect.fnUntraced(function* ({ id, set }) {
    const { change } = yield* remote
    if (set.length === 0) {
      return yield* new WrongUsage({
        happened: "No settings given.",
        todo: "Give a setting, as in --set session_minutes=60. sallyport realms get --json shows all settings."
      })
    }
    const settings = yield* parsed((): RealmInput => settingsOf(settable, set))
    const realm = yield* change(`The realm ${id} was changed.`, (sallyport, options) =>
      sallyport.realms.update(id, settings, options)
    )
    yield* print(realm, shownRealm(realm))
  })
).pipe(
  Command.withDescription(
    "Changes settings of a realm; others stay the same. Values are text, unless they are a number, true, false or null, or start with a quote or bracket; then they are parsed as JSON. Requires a key of level admin_realm."
  ),
  Command.withShortDescription("Changes settings of a realm"),
  Command.withExamples([
    { command: "sallyport realms update rl_01m7y8xyj4bmw0ek0bz2h2g9tn --set session_minutes=60 --set signup=closed" }
  ])
)

const remove = Command.make(
  "delete",
  { id, yes: Yes },
  Effect.fnUntraced(function* ({ id, yes }) {
    const { read, change } = yield* remote
    const { name } = yield* read((sallyport, options) => sallyport.realms.get(id, {}, options))
    yield* confirm(
      `The realm ${name} (${id}) will be deleted immediately with all its users, orgs, sessions, keys and settings. This can't be undone.`,
      name,
      yes
    )
    const done = `The realm ${visible(name)} (${id}) was deleted.`
    yield* change(done, (sallyport, options) => sallyport.realms.delete(id, options))
    yield* print({ id, deleted: true }, done)
  })
).pipe(
  Command.withDescription(
    "Deletes a realm and everything in it immediately. Asks for the realm's name to confirm; in scripts, use --yes. Requires a key of level admin_all_realms."
  ),
  Command.withShortDescription("Deletes a realm and everything in it"),
  Command.withExamples([
    {
      command: "sallyport users export --realm rl_01m7y8xyj4bmw0ek0bz2h2g9tn > users.ndjson",
      description: "Export the users first"
    },
    { command: "sallyport realms delete rl_01m7y8xyj4bmw0ek0bz2h2g9tn" }
  ])
)

/** The `realms` command. */
export const realms = Command.make("realms").pipe(
  Command.withDescription("Lists, shows, creates, changes and deletes realms. Each realm has its own users"),
  Command.withShortDescription("Lists, shows, creates, changes and deletes realms"),
  Command.withSubcommands([list, get, create, update, remove, complete]),
  withRemote
)
