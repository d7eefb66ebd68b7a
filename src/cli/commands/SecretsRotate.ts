import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { explainDatabase } from "../DatabaseFailure.ts"
import { Environment } from "../Environment.ts"
import { severalFlag, switchFlag } from "../Flags.ts"
import { Fetch, optionalRemote } from "../Remote.ts"

const node = severalFlag(
  "node",
  "url",
  "A node to check, by its own address (not the load balancer's), such as http://10.0.0.5:9100 for its SALLYPORT_OPS_PORT. Can be repeated: give all nodes"
)

const newest = Flag.String("new").pipe(
  Flag.withMetavar("<key>"),
  Flag.optional,
  Flag.withDescription(
    "The ID of the new key, if you created it yourself. Keys created by this command contain their creation time"
  )
)

const yes = switchFlag(
  "yes",
  "Confirm that every node was restarted with this environment's SALLYPORT_SECRET, instead of using --node"
).pipe(Flag.withAlias("y"))

const again = switchFlag("again", "Start another rotation within a day of the last one")

const dryRun = switchFlag("dry-run", "Only show the next step without changing anything")

/** Rotates the key that encrypts secrets at rest, one step per call. */
export const rotate = Command.make(
  "rotate",
  { node, newest, yes, again, dryRun },
  Effect.fnUntraced(function* (given) {
    const { rotateSecrets } = yield* Effect.promise(() => import("../secrets/Rotation.ts"))
    const { all: environment } = yield* Environment
    const { key } = yield* optionalRemote
    yield* explainDatabase(
      rotateSecrets({
        environment,
        key,
        fetch: yield* Fetch,
        nodes: given.node.map((url) => url.replace(/\/$/, "")),
        newest: Option.getOrUndefined(given.newest),
        isSure: given.yes,
        again: given.again,
        dryRun: given.dryRun
      })
    )
  })
).pipe(
  Command.withDescription(
    "Replaces the key that encrypts secrets at rest (SALLYPORT_SECRET) in three steps, each followed by a restart of all nodes: add the new key, move it to the front, remove the old key. Run it with a node's settings. Each call determines the current step, performs or explains it, and refuses any step that would leave a node without a key it needs. With the embedded database, stop the service first; all steps then run in one call."
  ),
  Command.withShortDescription("Replaces the key that encrypts secrets at rest, step by step"),
  Command.withExamples([
    { command: "sallyport secrets rotate --dry-run", description: "Show the next step" },
    { command: "sallyport secrets rotate --node http://10.0.0.5:9100 --node http://10.0.0.6:9100" }
  ])
)
