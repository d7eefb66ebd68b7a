import { Context } from "effect"
import type { Command } from "effect/cli"

/** All commands, for the one that writes completions of them. */
export class CommandTree extends Context.Service<CommandTree, Command.Command.Any>()("sallyport/cli/CommandTree") {}
