import { createInterface } from "node:readline"
import { Context, Effect, Layer } from "effect"
import { CommandFailed } from "./CommandFailed.ts"

const codeOf = (error: Error | null | undefined) => (error instanceof Error && "code" in error ? error.code : undefined)

const outputFailure = ({ message }: Error) =>
  new CommandFailed({
    happened: `Can't write the output: ${message}.`,
    todo: "Free up disk space or write to another disk, then run the command again."
  })

/** A command's input and output. */
export class Screen extends Context.Service<
  Screen,
  {
    /** Writes the result to stdout. Completes when it is written; fails if the disk is full. */
    readonly out: (text: string) => Effect.Effect<void, CommandFailed>
    /** Writes errors, questions, progress and notes to stderr. */
    readonly err: (text: string) => Effect.Effect<void>
    /** Asks for a line of input. Returns undefined at the end of the input. */
    readonly ask: (question: string) => Effect.Effect<string | undefined>
    readonly outIsTerminal: boolean
    readonly errIsTerminal: boolean
    /** Whether a user can answer questions. */
    readonly canAsk: boolean
    /** The width of a line, in characters. */
    readonly columns: number
    /** Whether NO_COLOR is set. */
    readonly noColor: boolean
  }
>()("sallyport/cli/Screen") {
  /** The standard streams of this process. */
  static readonly process = (noColor: boolean): Layer.Layer<Screen> =>
    Layer.sync(Screen, () => {
      const { stdin, stdout, stderr } = process
      // Each write handles its own error.
      for (const stream of [stdout, stderr]) stream.on("error", () => undefined)
      return {
        out: (text) =>
          Effect.callback((resume) => {
            stdout.write(text, (error) => {
              // The reader has closed the pipe, as in `sallyport openapi | head`.
              if (codeOf(error) === "EPIPE") process.exit(0)
              resume(error === null || error === undefined ? Effect.void : Effect.fail(outputFailure(error)))
            })
          }),
        err: (text) =>
          Effect.callback((resume) => {
            stderr.write(text, () => resume(Effect.void))
          }),
        ask: (question) =>
          Effect.callback((resume) => {
            // Not in terminal mode, so that Ctrl-C still sends a signal.
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
