import { DateTime, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { ApiKey } from "#client/generated/types/ApiKey"
import { levels } from "#domain/Level"
import { allOf } from "../All.ts"
import { confirm, Yes } from "../Confirmation.ts"
import { fields } from "../Fields.ts"
import { print } from "../Output.ts"
import { remote, withRemote } from "../Remote.ts"
import { table } from "../Table.ts"
import { timeText } from "../Time.ts"
import { visible } from "../Visible.ts"
import { readOnly } from "../WorkDone.ts"

const realmOf = ({ realm_id }: ApiKey) => realm_id ?? "all realms"

const realmOption = Flag.String("realm").pipe(
  Flag.withMetavar("<realm_id>"),
  Flag.optional,
  Flag.withDescription("Only the keys of this realm; null for keys of all realms. Default: all")
)

const list = Command.make(
  "list",
  { realm: realmOption },
  Effect.fnUntraced(function* (given) {
    const { read } = yield* remote
    const all = yield* read((sallyport, options) => allOf(sallyport.apiKeys.list({ max_results: 1_000 }, options)))
    const realm = Option.getOrUndefined(given.realm)
    const keys = realm === undefined ? all : all.filter(({ realm_id }) => (realm_id ?? "null") === realm)
    // Otherwise an unknown realm would look like a realm without keys.
    if (keys.length === 0 && realm !== undefined && realm !== "null") {
      yield* read((sallyport, options) => sallyport.realms.get(realm, {}, options))
    }
    const rows = keys.map((key) => [
      key.id,
      key.name,
      key.level,
      realmOf(key),
      timeText(key.created_at),
      timeText(key.expires_at, "never"),
      timeText(key.last_used_at, "never")
    ])
    yield* print(keys, table([["ID", "NAME", "LEVEL", "REALM", "CREATED", "EXPIRES", "LAST USED"], ...rows]))
  }, readOnly)
).pipe(
  Command.withDescription("Lists the API keys that your key can manage. Times are in UTC."),
  Command.withShortDescription("Lists API keys")
)

const name = Argument.String("name").pipe(Argument.withDescription("A name to identify the key"))

const level = Flag.Literals("level", levels).pipe(
  Flag.withMetavar("<level>"),
  Flag.withDescription("The permission level; each level includes the previous ones")
)

const realm = Flag.String("realm").pipe(
  Flag.withMetavar("<realm_id>"),
  Flag.optional,
  Flag.withDescription(
    "The realm to bind the key to. Required unless the level is admin_all_realms or your own key is bound to a realm"
  )
)

const days = Flag.Int("days").pipe(
  Flag.withMetavar("<days>"),
  Flag.filter(
    (count) => count > 0 && count <= 36_500,
    () => "a whole number from 1 to 36500"
  ),
  Flag.optional,
  Flag.withDescription("The number of days until the key expires. Default: never")
)

const create = Command.make(
  "create",
  { name, level, realm, days },
  Effect.fnUntraced(function* ({ name, level, realm, days }) {
    const { change } = yield* remote
    const now = yield* DateTime.now
    const key = yield* change(`The key ${name} was created.`, (sallyport, options) =>
      sallyport.apiKeys.create(
        {
          name,
          level,
          realm_id: Option.getOrUndefined(realm),
          expires_at: Option.getOrUndefined(
            Option.map(days, (days) => DateTime.toEpochMillis(DateTime.add(now, { days })) / 1_000)
          )
        },
        options
      )
    )
    const shown = {
      Key: key.key ?? "",
      ID: key.id,
      Name: key.name,
      Level: key.level,
      Realm: realmOf(key),
      Expires: timeText(key.expires_at, "never")
    }
    yield* print(key, `${fields(shown)}\n\nSave the key now: it won't be shown again.`)
  })
).pipe(
  Command.withDescription("Creates an API key and shows it once. Its level can't be higher than your key's."),
  Command.withShortDescription("Creates an API key"),
  Command.withExamples([
    { command: "sallyport keys create backend --level write --realm rl_01m7y8xyj4bmw0ek0bz2h2g9tn" },
    { command: "sallyport keys create ci --level admin_all_realms --days 30 --json | jq -r .key > key" }
  ])
)

const id = Argument.String("key_id").pipe(
  Argument.withDescription("The ID of the key, such as key_01m7y8xyj4bmw0ek0bz2h2g9tn")
)

const remove = Command.make(
  "delete",
  { id, yes: Yes },
  Effect.fnUntraced(function* ({ id, yes }) {
    const { read, change } = yield* remote
    const { name, level } = yield* read((sallyport, options) => sallyport.apiKeys.get(id, options))
    yield* confirm(`The key ${name} (${id}, ${level}) will stop working.`, name, yes)
    const done = `The key ${visible(name)} (${id}) was deleted.`
    yield* change(done, (sallyport, options) => sallyport.apiKeys.delete(id, options))
    yield* print({ id, deleted: true }, done)
  })
).pipe(
  Command.withDescription("Deletes an API key, which stops working immediately"),
  Command.withExamples([{ command: "sallyport keys delete key_01m7y8xyj4bmw0ek0bz2h2g9tn" }])
)

/** The `keys` command: API keys. */
export const keys = Command.make("keys").pipe(
  Command.withDescription("Lists, creates and deletes API keys, which authenticate callers of the API"),
  Command.withShortDescription("Lists, creates and deletes API keys"),
  Command.withSubcommands([list, create, remove]),
  withRemote
)
