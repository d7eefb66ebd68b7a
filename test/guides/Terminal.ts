import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

/** A terminal's environment: the reader's variables and those that the test adds. */
export type Variables = Readonly<Record<string, string>>

/** The maximum duration of a command on a busy machine. The limit only ends commands that hang. */
const PATIENCE = 120_000

/** A bash process in the reader's folder, with all its output. */
class Terminal {
  readonly process: ChildProcess
  printed = ""
  errors = ""
  readonly #closed: Promise<unknown>

  constructor(words: ReadonlyArray<string>, folder: string, variables: Variables) {
    // A separate process group, so that its children end with it.
    this.process = spawn("bash", words, { cwd: folder, env: variables, detached: true })
    this.process.stdout?.setEncoding("utf8").on("data", (text: string) => (this.printed += text))
    this.process.stderr?.setEncoding("utf8").on("data", (text: string) => (this.errors += text))
    this.#closed = once(this.process, "close")
  }

  /**
   * Waits until `missing` returns undefined. Fails if the process ends or takes too long. `missing` returns the output
   * still awaited.
   */
  async until(missing: () => string | undefined): Promise<void> {
    const patience = AbortSignal.timeout(PATIENCE)
    while (missing() !== undefined) {
      const { stdout, exitCode, signalCode } = this.process
      const printed = stdout === null ? this.#closed : once(stdout, "data", { signal: patience })
      await Promise.race([printed, this.#closed]).catch(() => this.#fail("waits", missing()))
      if ((exitCode !== null || signalCode !== null) && missing() !== undefined) this.#fail("has ended", missing())
    }
  }

  #fail(how: string, missing = ""): never {
    throw new Error(`The terminal ${how}. Not printed:\n${missing}\nPrinted:\n${this.printed}\n${this.errors}`)
  }

  async end(): Promise<void> {
    const { pid, exitCode, signalCode } = this.process
    if (exitCode !== null || signalCode !== null || pid === undefined) return
    process.kill(-pid, "SIGTERM")
    await this.#closed
  }
}

/** A terminal that a long-running command occupies, such as a server. */
export class ServerTerminal extends Terminal {
  constructor(command: string, folder: string, variables: Variables) {
    super(["-c", command], folder, variables)
  }

  /** Waits until the server prints where it listens. */
  started(): Promise<void> {
    return this.until(() => (/https?:\/\/\S+/.test(this.printed) ? undefined : "an address"))
  }
}

/** A terminal that runs one block after the other and preserves the variables. It ends at the first command that fails. */
export class Shell extends Terminal {
  readonly #folder: string
  #blocks = 0

  constructor(folder: string, variables: Variables) {
    super(["-eu"], folder, variables)
    this.#folder = folder
  }

  /** Runs a block and returns its output. */
  async run(code: string): Promise<string> {
    const file = join(this.#folder, `.block-${++this.#blocks}.sh`)
    const end = `The end of block ${this.#blocks}.`
    writeFileSync(file, code)
    this.printed = ""
    this.errors = ""
    this.process.stdin?.write(`source ${file} </dev/null; echo "${end}"\n`)
    await this.until(() => (this.printed.includes(end) ? undefined : end))
    return this.printed.slice(0, this.printed.indexOf(end))
  }
}
