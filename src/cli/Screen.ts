import { createInterface } from "node:readline"
import { Context, Effect, Layer } from "effect"
import { CommandFailed } from "./CommandFailed.ts"

const codeOf = (error: Error | null | undefined) => (error instanceof Error && "code" in error ? error.code : undefined)

const unwritten = ({ message }: Error) =>
  new CommandFailed({
    happened: `The output can't be written: ${message}.`,
    todo: "Make room on that disk, or write to another one, and run the command again."
  })

/** Where a command writes, and who reads that. */
export class Screen extends Context.Service<
  Screen,
  {
    /** Writes to the standard output: the result, and nothing else. Ends when it is written; fails on a full disk. */
    readonly out: (text: string) => Effect.Effect<void, CommandFailed>
    /** Writes to the standard error: errors, questions, progress and notes. */
    readonly err: (text: string) => Effect.Effect<void>
    /** Asks for one line; undefined if the input ended before. */
    readonly ask: (question: string) => Effect.Effect<string | undefined>
    readonly outIsTerminal: boolean
    readonly errIsTerminal: boolean
    /** Whether somebody can answer a question. */
    readonly canAsk: boolean
    /** How many characters fit in a line. */
    readonly columns: number
    /** Whether NO_COLOR forbids colours. */
    readonly noColor: boolean
  }
>()("sallyport/cli/Screen") {
  /** The terminal, files or pipes of this process. */
  static readonly process = (noColor: boolean): Layer.Layer<Screen> =>
    Layer.sync(Screen, () => {
      const { stdin, stdout, stderr } = process
      // Each write gets to know its own failure.
      for (const stream of [stdout, stderr]) stream.on("error", () => undefined)
      return {
        out: (text) =>
          Effect.callback((resume) => {
            stdout.write(text, (error) => {
              // Whoever reads has enough: `sallyport openapi | head`.
              if (codeOf(error) === "EPIPE") process.exit(0)
              resume(error === null || error === undefined ? Effect.void : Effect.fail(unwritten(error)))
            })
          }),
        err: (text) =>
          Effect.callback((resume) => {
            stderr.write(text, () => resume(Effect.void))
          }),
        ask: (question) =>
          Effect.callback((resume) => {
            // Not as a terminal: the system's own line editing leaves Ctrl-C a signal.
            const lines = createInterface({ input: stdin, output: stderr, terminal: false })
            lines.once("close", () => resume(Effect.succeed(undefined)))
            lines.question(question, (line) => {
              resume(Effect.succeed(line))
              lines.close()
            })
            return Effect.sync(() => lines.close())
          }),
        outIsTerminal: stdout.isTTY === true,
        errIsTerminal: stderr.isTTY === true,
        canAsk: stdin.isTTY === true && stderr.isTTY === true,
        columns: stdout.columns ?? stderr.columns ?? 100,
        noColor
      }
    })
}
