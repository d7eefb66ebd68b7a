import { Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { ApiKeyBody } from "#api/access/Endpoints"
import { confirm, Yes } from "../Confirmation.ts"
import { print } from "../Output.ts"
import { remote, withRemote } from "../Remote.ts"

const id = Argument.String("key_id").pipe(
  Argument.withDescription("The ID of the key, such as key_01m7y8xyj4bmw0ek0bz2h2g9tn")
)

const readKey = Schema.decodeUnknownEffect(ApiKeyBody)

const remove = Command.make(
  "delete",
  { id, yes: Yes },
  Effect.fnUntraced(function* ({ id, yes }) {
    const { call } = yield* remote
    const { name } = yield* Effect.orDie(readKey(yield* call("GET", `/v2/api_keys/${encodeURIComponent(id)}`)))
    yield* confirm(`The key ${name} (${id}) will be refused from then on.`, name, yes)
    yield* call("DELETE", `/v2/api_keys/${encodeURIComponent(id)}`)
    yield* print({ id, deleted: true }, `Deleted the key ${name} (${id}).`)
  })
).pipe(Command.withDescription("Deletes a management key, which is refused from then on"))

/** Management keys. */
export const keys = Command.make("keys").pipe(
  Command.withDescription("Lists, creates and deletes management keys, which authenticate callers of the API"),
  Command.withSubcommands([remove]),
  withRemote
)
