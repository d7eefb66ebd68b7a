import { inspect } from "node:util"
import { Cause, Predicate } from "effect"
import type { CliError } from "effect/cli"
import { withSourceLines } from "#server/SourceLines"
import { CommandFailed, WrongUsage } from "./CommandFailed.ts"

/** What is said of a command that did not succeed, and its exit code: 1 failed, 2 wrong usage, 130 stopped. */
export interface Failure {
  readonly code: 1 | 2 | 130
  readonly happened: string
  readonly done?: string
  readonly todo?: string
}

const wrongUsage = ({ happened, todo }: WrongUsage): Failure => ({
  code: 2,
  happened,
  ...(todo === undefined ? {} : { todo })
})

const failed = (error: CommandFailed, done: string): Failure => ({
  code: 1,
  happened: error.happened,
  done: error.done ?? done,
  ...(error.todo === undefined ? {} : { todo: error.todo })
})

/** What is wrong with the words of a call. */
export const usageFailure = (errors: ReadonlyArray<CliError.CliError>, path: ReadonlyArray<string>): Failure => ({
  code: 2,
  happened: errors.map(sentenceOf).join("\n"),
  todo: `Run ${path.join(" ")} --help to see what it takes.`
})

const didYouMean = (suggestions: ReadonlyArray<string>) =>
  suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(" or ")}?`

const nameOf = ({ kind, option }: CliError.InvalidValue) => (kind === "flag" ? option : `<${option}>`)

/** What a value may be, as the framework words it: with a verb or without, and with quotes around each choice. */
const expectedOf = ({ expected }: CliError.InvalidValue): string => {
  const text = expected.replace(/^Expected:? /, "")
  if (text.includes("representing a finite number")) return "a number"
  return text
    .replaceAll('"', "")
    .split(" | ")
    .join(", ")
    .replace(/, ([^,]+)$/, " or $1")
}

const sentenceOf = (error: CliError.CliError): string => {
  switch (error._tag) {
    case "UnrecognizedOption":
      return error.option === "--key"
        ? "A key is never an option, because everyone on this machine can see those. Set SALLYPORT_KEY, or use --key-file."
        : `There is no option ${error.option}.${didYouMean(error.suggestions)}`
    case "UnknownSubcommand":
      return `There is no command ${error.subcommand}.${didYouMean(error.suggestions)}`
    case "MissingOption":
      return `The option --${error.option} is missing.`
    case "MissingArgument":
      return `The argument <${error.argument}> is missing.`
    case "UnexpectedArgument":
      return `Too many arguments: ${error.arguments.join(" ")}.`
    case "InvalidValue":
      return `${error.kind === "flag" ? "--" : ""}${nameOf(error)} can't be ${error.value}. It takes ${expectedOf(error)}.`
    default:
      return error.message
  }
}

/** What is said of the way a command ended. `done`: what it had done. */
export const failureOf = (cause: Cause.Cause<unknown>, done: string): Failure => {
  if (Cause.hasInterruptsOnly(cause)) return { code: 130, happened: "Stopped.", done }
  const error = Cause.squash(cause)
  if (error instanceof WrongUsage) return wrongUsage(error)
  if (error instanceof CommandFailed) return failed(error, done)
  // The service's own refusals are sentences for operators.
  if (Predicate.hasProperty(error, "_tag") && error instanceof Error && !Cause.hasDies(cause)) {
    return { code: 1, happened: error.message, done }
  }
  return {
    code: 1,
    happened: `Sallyport has made a mistake.\n${withSourceLines(inspect(error))}`,
    done,
    todo: "Report it with these lines."
  }
}
