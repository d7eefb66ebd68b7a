import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

/** The environment of a terminal: what a reader's has, and what the test adds. */
export type Variables = Readonly<Record<string, string>>

/** How long a command may take, on a machine that is busy with much else: the limit only ends what hangs. */
const PATIENCE = 120_000

/** A process of bash in the reader's folder, with all that it prints. */
class Terminal {
  readonly process: ChildProcess
  printed = ""
  errors = ""
  readonly #closed: Promise<unknown>

  constructor(words: ReadonlyArray<string>, folder: string, variables: Variables) {
    // A group of its own, so that what it starts ends with it.
    this.process = spawn("bash", words, { cwd: folder, env: variables, detached: true })
    this.process.stdout?.setEncoding("utf8").on("data", (text: string) => (this.printed += text))
    this.process.stderr?.setEncoding("utf8").on("data", (text: string) => (this.errors += text))
    this.#closed = once(this.process, "close")
  }

  /** Waits until something is so; fails when the process ends or takes too long. */
  async until(isSo: () => boolean): Promise<void> {
    const patience = AbortSignal.timeout(PATIENCE)
    while (!isSo()) {
      const { stdout, exitCode } = this.process
      const printed = stdout === null ? this.#closed : once(stdout, "data", { signal: patience })
      await Promise.race([printed, this.#closed]).catch(() => this.#fail("waits for more"))
      if (exitCode !== null && !isSo()) this.#fail("has ended")
    }
  }

  #fail(how: string): never {
    throw new Error(`The terminal ${how}. It printed:\n${this.printed}\n${this.errors}`)
  }

  async end(): Promise<void> {
    const { pid, exitCode, signalCode } = this.process
    if (exitCode !== null || signalCode !== null || pid === undefined) return
    process.kill(-pid, "SIGTERM")
    await this.#closed
  }
}

/** A terminal that a command keeps, such as a server. */
export class ServerTerminal extends Terminal {
  constructor(command: string, folder: string, variables: Variables) {
    super(["-c", command], folder, variables)
  }

  /** Until it says where it listens. */
  started(): Promise<void> {
    return this.until(() => /https?:\/\/\S+/.test(this.printed))
  }
}

/** A terminal that runs one block after the other and keeps its variables. It ends at the first command that fails. */
export class Shell extends Terminal {
  readonly #folder: string
  #blocks = 0

  constructor(folder: string, variables: Variables) {
    super(["-eu"], folder, variables)
    this.#folder = folder
  }

  /** Runs a block: what it prints. */
  async run(code: string): Promise<string> {
    const file = join(this.#folder, `.block-${++this.#blocks}.sh`)
    const end = `The end of block ${this.#blocks}.`
    writeFileSync(file, code)
    this.printed = ""
    this.errors = ""
    this.process.stdin?.write(`source ${file} </dev/null; echo "${end}"\n`)
    await this.until(() => this.printed.includes(end))
    return this.printed.slice(0, this.printed.indexOf(end))
  }
}
