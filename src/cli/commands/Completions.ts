import { Effect } from "effect"
import { Argument, Command, Completions } from "effect/cli"
import { CommandTree } from "../CommandTree.ts"
import { completedCommands } from "../CompletedCommands.ts"
import { withRealms } from "../CompletedRealms.ts"
import { Screen } from "../Screen.ts"

const shell = Argument.Literals("shell", ["bash", "zsh", "fish"]).pipe(Argument.withDescription("Your shell"))

/** Prints a shell completion script. */
export const completions = Command.make(
  "completions",
  { shell },
  Effect.fnUntraced(function* ({ shell }) {
    const tree = yield* CommandTree
    const script = Completions.generate("sallyport", shell, completedCommands(tree))
    // The framework assumes an option instead of a command.
    const named = script.replaceAll("sallyport --completions", "sallyport completions")
    yield* (yield* Screen).out(`${withRealms(named, shell)}\n`)
  })
).pipe(
  Command.withDescription(
    "Prints a script that makes your shell complete commands, options and the realms of your service. Realms are read with SALLYPORT_URL and SALLYPORT_KEY or SALLYPORT_KEY_FILE."
  ),
  Command.withShortDescription("Prints a completion script for bash, zsh or fish"),
  Command.withExamples([
    { command: "source <(sallyport completions bash)", description: "bash, in ~/.bashrc" },
    { command: "source <(sallyport completions zsh)", description: "zsh, in ~/.zshrc after compinit" },
    {
      command: "sallyport completions fish > ~/.config/fish/completions/sallyport.fish",
      description: "fish"
    }
  ])
)
