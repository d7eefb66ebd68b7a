import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Layer, Predicate } from "effect"
import { CliConfig, CliOutput, Command, Flag, GlobalFlag, type HelpDoc } from "effect/cli"
import { RELEASE } from "#server/Command"
import { CommandTree } from "./CommandTree.ts"
import { commandEnvironment, Environment } from "./Environment.ts"
import { type Failure, failureOf } from "./Failure.ts"
import { switchFlag } from "./Flags.ts"
import { helpText } from "./HelpText.ts"
import { root } from "./Root.ts"
import { Screen } from "./Screen.ts"
import { styleOf } from "./Style.ts"
import { usageFailure } from "./UsageFailure.ts"
import { visibleLines } from "./Visible.ts"
import { WorkDone } from "./WorkDone.ts"

const Help = GlobalFlag.Action({
  flag: switchFlag("help", "Show this help").pipe(Flag.withAlias("h")),
  run: GlobalFlag.Help.run
})

const Version = GlobalFlag.Action({
  flag: switchFlag("version", "Show the release").pipe(Flag.withAlias("v")),
  run: GlobalFlag.Version.run
})

/** Formats a failure as JSON and as text. */
const failureText = ({ happened, done, todo }: Failure, red: (text: string) => string) =>
  [red("Error: ") + visibleLines(happened), done, visibleLines(todo ?? "")]
    .filter((line) => line !== undefined && line !== "")
    .join("\n")

const report = Effect.fnUntraced(function* (failure: Failure, isJson: boolean) {
  const { err, errIsTerminal, noColor } = yield* Screen
  const { code, ...error } = failure
  const { red } = styleOf(errIsTerminal, noColor)
  if (isJson) yield* err(`${JSON.stringify({ error })}\n`)
  else if (code === 130) yield* err(`\n${[error.happened, error.done].filter(Predicate.isNotUndefined).join(" ")}\n`)
  else yield* err(`${failureText(failure, red)}\n`)
  return code
})

/** Prints help and version to stdout. `misunderstood` gets the help of a command that was used incorrectly. */
const presenterOf = (
  { out, outIsTerminal, columns, noColor }: Screen["Service"],
  misunderstood: (doc: HelpDoc.HelpDoc) => void
): CliOutput.Presenter => ({
  present: (event) => {
    if (event._tag === "Version") return Effect.ignore(out(`Sallyport ${event.version}\n`))
    if (event._tag === "InvalidInvocation") return Effect.sync(() => misunderstood(event.helpDoc))
    return Effect.ignore(out(`${helpText(event.helpDoc, columns, styleOf(outIsTerminal, noColor))}\n`))
  }
})

/** Runs the command for the given arguments. Returns its exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted. */
export const run = Effect.fnUntraced(
  function* (words: ReadonlyArray<string>) {
    let doc: HelpDoc.HelpDoc | undefined
    const presenter = presenterOf(yield* Screen, (helpDoc) => {
      doc = helpDoc
    })
    const { say } = yield* WorkDone
    // Needed before the arguments are parsed.
    const isJson = words.includes("--json")
    return yield* Command.runWith(root, { version: RELEASE })(words).pipe(
      Effect.as(0),
      Effect.catchTag("ShowHelp", ({ errors, commandPath }) =>
        errors.length === 0 ? Effect.succeed(0) : report(usageFailure(errors, commandPath, { words, doc }), isJson)
      ),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.interrupt
          : Effect.flatMap(say, (done) => report(failureOf(cause, done), isJson))
      ),
      Effect.onInterrupt(() => Effect.flatMap(say, (done) => report(failureOf(Cause.interrupt(), done), isJson))),
      Effect.provideService(CliOutput.Presenter, presenter),
      Effect.provideService(CommandTree, root)
    )
  },
  Effect.provide(Layer.mergeAll(WorkDone.layer, NodeServices.layer, CliConfig.layer({ builtIns: [Help, Version] })))
)

/** Runs the command of this process. */
export const program = (words: ReadonlyArray<string>): Effect.Effect<number> =>
  Effect.suspend(() => {
    const environment = commandEnvironment()
    return run(words).pipe(
      Effect.provideService(Environment, environment),
      Effect.provide(Screen.process(environment.noColor))
    )
  })

/** Converts an exit to the process's exit code. */
export const exitCode = <A, E>(exit: Exit.Exit<A, E>): number => {
  if (Exit.isSuccess(exit)) return typeof exit.value === "number" ? exit.value : 0
  return Cause.hasInterruptsOnly(exit.cause) ? 130 : 1
}
