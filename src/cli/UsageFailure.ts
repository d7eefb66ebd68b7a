import type { CliError, HelpDoc } from "effect/cli"
import { nearestName } from "#domain/NearestName"
import type { Failure } from "./Failure.ts"

/** A command line that could not be parsed. `doc`: the help of the command that it names. */
export interface Call {
  readonly words: ReadonlyArray<string>
  readonly doc: HelpDoc.HelpDoc | undefined
}

const didYouMean = (name: string | undefined) => (name === undefined ? "" : ` Did you mean ${name}?`)

const flagsOf = ({ doc }: Call): ReadonlyArray<HelpDoc.FlagDoc> =>
  doc === undefined ? [] : [...doc.flags, ...(doc.inheritedFlags ?? []), ...(doc.globalFlags ?? [])]

const nearestOption = (option: string, call: Call) =>
  option.startsWith("--")
    ? nearestName(
        option.slice(2),
        flagsOf(call).map(({ name }) => name)
      )
    : undefined

const nearestCommand = (name: string, { doc }: Call) =>
  nearestName(
    name,
    (doc?.subcommands ?? []).flatMap(({ commands }) => commands.map((command) => command.name))
  )

const namesOf = ({ name, aliases }: HelpDoc.FlagDoc) => [`--${name}`, ...aliases]

const isGiven = (flag: HelpDoc.FlagDoc, words: ReadonlyArray<string>) =>
  words.some((word) => namesOf(flag).some((name) => word === name || word.startsWith(`${name}=`)))

/** Counts the arguments after the command's name, without options and their values. */
const argumentCount = (call: Call, path: ReadonlyArray<string>): number => {
  const withValue = flagsOf(call).flatMap((flag) => (flag.type === "boolean" ? [] : namesOf(flag)))
  const others = call.words.filter((word, n) => !word.startsWith("-") && !withValue.includes(call.words[n - 1] ?? ""))
  return others.length - (path.length - 1)
}

const noOption = (name: string) => `The option --${name} is missing.`
const noArgument = (name: string) => `The argument <${name}> is missing.`

/**
 * Lists all missing arguments and options, because the framework reports only the first. An argument may also be given
 * as an option with the same name.
 */
const missingInputs = (call: Call, path: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { doc, words } = call
  const flags = flagsOf(call)
  const required = (doc?.args ?? []).filter(
    ({ name, required }) => required && !flags.some((flag) => flag.type === `<${name}>` && isGiven(flag, words))
  )
  return [
    ...required.slice(argumentCount(call, path)).map(({ name }) => noArgument(name)),
    ...flags.filter((flag) => flag.required && !isGiven(flag, words)).map(({ name }) => noOption(name))
  ]
}

const nameOf = ({ kind, option }: CliError.InvalidValue) => (kind === "flag" ? option : `<${option}>`)

/** Normalizes the expected value. The framework's wording may or may not start with a verb, and quotes each choice. */
const expectedOf = ({ expected }: CliError.InvalidValue): string => {
  const text = expected.replace(/^Expected:? /, "")
  if (text.includes("representing a finite number")) return "a number"
  return text
    .replaceAll('"', "")
    .split(" | ")
    .join(", ")
    .replace(/, ([^,]+)$/, " or $1")
}

const sentencesOf = (
  error: CliError.CliError,
  call: Call,
  path: ReadonlyArray<string>
): string | ReadonlyArray<string> => {
  switch (error._tag) {
    case "UnrecognizedOption": {
      if (error.option === "--key")
        return "Keys can't be passed as options, because every user of this machine can see them. Set SALLYPORT_KEY, or use --key-file."
      const nearest = nearestOption(error.option, call)
      return `Unknown option: ${error.option}.${didYouMean(nearest === undefined ? undefined : `--${nearest}`)}`
    }
    case "UnknownSubcommand":
      return `Unknown command: ${error.subcommand}.${didYouMean(nearestCommand(error.subcommand, call))}`
    case "MissingOption":
      return [...new Set([...missingInputs(call, path), noOption(error.option)])]
    case "MissingArgument":
      return [...new Set([noArgument(error.argument), ...missingInputs(call, path)])]
    case "UnexpectedArgument":
      return `Too many arguments: ${error.arguments.join(" ")}.`
    case "InvalidValue":
      return `${error.kind === "flag" ? "--" : ""}${nameOf(error)} can't be ${error.value}. Expected ${expectedOf(error)}.`
    default:
      return error.message
  }
}

/** Describes what is wrong with a call. */
export const usageFailure = (
  errors: ReadonlyArray<CliError.CliError>,
  path: ReadonlyArray<string>,
  call: Call
): Failure => ({
  code: 2,
  happened: errors.flatMap((error) => sentencesOf(error, call, path)).join("\n"),
  todo: `Run ${path.join(" ")} --help for usage.`
})
