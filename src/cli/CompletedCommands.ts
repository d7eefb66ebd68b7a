import { Context } from "effect"
import { type Command, Completions } from "effect/cli"
import { realmChoice } from "./CompletedRealms.ts"
import { CallsService } from "./Remote.ts"

/** The global options of every command. */
const general: ReadonlyArray<Completions.FlagDescriptor> = [
  { name: "help", aliases: ["h"], description: "Show this help", type: { _tag: "Boolean" }, negation: false },
  { name: "json", aliases: [], description: "Print the result as JSON", type: { _tag: "Boolean" }, negation: false }
]

/** The global options of commands that call a service. */
const remote: ReadonlyArray<Completions.FlagDescriptor> = [
  { name: "url", aliases: [], description: "The URL of the service", type: { _tag: "String" } },
  {
    name: "key-file",
    aliases: [],
    description: "The file with the API key",
    type: { _tag: "Path", pathType: "file" }
  }
]

/** The names of options and arguments that take a realm. */
const takesRealm = (name: string): boolean => name === "realm" || name === "realm_id"

const withRealmChoice = <
  Described extends { readonly name: string; readonly type: Completions.FlagType | Completions.ArgumentType }
>(
  described: Described
) => (takesRealm(described.name) ? { ...described, type: realmChoice } : described)

const complete = (
  command: Command.Command.Any,
  descriptor: Completions.CommandDescriptor,
  calls: boolean
): Completions.CommandDescriptor => {
  const callsService = calls || Context.get(command.annotations, CallsService)
  const commands = command.subcommands.flatMap((group): ReadonlyArray<Command.Command.Any> => group.commands)
  return {
    ...descriptor,
    flags: [...descriptor.flags.map(withRealmChoice), ...(callsService ? remote : []), ...general],
    arguments: descriptor.arguments.map(withRealmChoice),
    subcommands: descriptor.subcommands.map((below) => {
      const named = commands.find(({ name }) => name === below.name)
      return named === undefined ? below : complete(named, below, callsService)
    })
  }
}

/** A command's description for shell completion. Adds the global options, which the framework leaves out. */
export const completedCommands = (command: Command.Command.Any): Completions.CommandDescriptor =>
  complete(command, Completions.fromCommand(command), false)
