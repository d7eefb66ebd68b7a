import { Context } from "effect"
import type { Command } from "effect/cli"

/** All commands, for the command that writes shell completions. */
export class CommandTree extends Context.Service<CommandTree, Command.Command.Any>()("sallyport/cli/CommandTree") {}
