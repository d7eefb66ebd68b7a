import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { explainDatabase } from "../DatabaseFailure.ts"
import { Environment } from "../Environment.ts"
import { severalFlag, switchFlag } from "../Flags.ts"
import { Fetch, optionalRemote } from "../Remote.ts"

const node = severalFlag(
  "node",
  "url",
  "A node to look at, by its own address (not the load balancer's), such as http://10.0.0.5:9100 for its SALLYPORT_OPS_PORT. May be given several times: name all of them"
)

const newest = Flag.String("new").pipe(
  Flag.withMetavar("<key>"),
  Flag.optional,
  Flag.withDescription(
    "The ID of the new key, where you made it yourself: keys of this command tell when they were made"
  )
)

const yes = switchFlag(
  "yes",
  "Every node was restarted with the SALLYPORT_SECRET of this environment, though none is named with --node"
).pipe(Flag.withAlias("y"))

const again = switchFlag("again", "Begin another rotation within a day of the last one")

const dryRun = switchFlag("dry-run", "Only say what comes next. Nothing is made, written or encrypted")

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
    "Replaces the key that encrypts secrets at rest (SALLYPORT_SECRET), in three steps with a restart of all nodes after each: the new key is added, goes first, and the old one goes. Run it with the settings of a node. Each call finds out where the rotation stands, does or says what comes next, and refuses what would leave a node without a key it needs. With the embedded database, stop the service: all is done at once."
  ),
  Command.withShortDescription("Replaces the key that encrypts secrets at rest, step by step"),
  Command.withExamples([
    { command: "sallyport secrets rotate --dry-run", description: "What comes next" },
    { command: "sallyport secrets rotate --node http://10.0.0.5:9100 --node http://10.0.0.6:9100" }
  ])
)
