import { Context, Effect } from "effect"
import { commandEnvironment, Environment } from "#cli/Environment"
import { run } from "#cli/Program"
import { Fetch } from "#cli/Remote"
import { Screen } from "#cli/Screen"

/** The output and exit code of a command. */
export interface CommandResult {
  readonly code: number
  readonly out: string
  readonly err: string
}

/**
 * Options of a command run. `answers` is the input typed at a terminal. By default there is no terminal, and the
 * outputs are pipes.
 */
export interface CliOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly answers?: ReadonlyArray<string>
  readonly fetch?: typeof globalThis.fetch
  /** Services that replace the command's own, for example a full disk. */
  readonly services?: Context.Context<never>
  /** Stops the command like Ctrl-C. */
  readonly signal?: AbortSignal
}

/**
 * Runs a command in this process, as `sallyport` would with these arguments: `cli(["keys", "list"], { environment })`.
 */
export const cli = async (words: ReadonlyArray<string>, options: CliOptions = {}): Promise<CommandResult> => {
  const { answers, environment = {}, fetch, services = Context.empty(), signal } = options
  const printed = { out: "", err: "" }
  const left = [...(answers ?? [])]
  const writeTo = (stream: "out" | "err") => (text: string) =>
    Effect.sync(() => {
      printed[stream] += text
    })
  const isTerminal = answers !== undefined
  const screen: Screen["Service"] = {
    out: writeTo("out"),
    err: writeTo("err"),
    ask: (question) => Effect.map(writeTo("err")(`${question}\n`), () => left.shift()),
    outIsTerminal: isTerminal,
    errIsTerminal: isTerminal,
    canAsk: isTerminal,
    columns: 100,
    noColor: environment.NO_COLOR !== undefined
  }
  const ran = run(words).pipe(
    Effect.provideService(Environment, commandEnvironment(environment)),
    Effect.provideService(Screen, screen),
    Effect.provideContext(services)
  )
  const code = await Effect.runPromise(
    fetch === undefined ? ran : Effect.provideService(ran, Fetch, fetch),
    signal === undefined ? {} : { signal }
  ).catch((cause: unknown) => {
    if (signal?.aborted === true) return 130
    throw cause
  })
  return { code, ...printed }
}

/** The environment variables that point commands at a service. */
export const serviceEnvironment = ({ url, key }: { readonly url: string; readonly key: string }) => ({
  SALLYPORT_URL: url,
  SALLYPORT_KEY: key
})
