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

  /** Waits until nothing is missing any more; fails when the process ends or takes too long. `missing`: what it waits for. */
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

/** A terminal that a command keeps, such as a server. */
export class ServerTerminal extends Terminal {
  constructor(command: string, folder: string, variables: Variables) {
    super(["-c", command], folder, variables)
  }

  /** Until it says where it listens. */
  started(): Promise<void> {
    return this.until(() => (/https?:\/\/\S+/.test(this.printed) ? undefined : "an address"))
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
    await this.until(() => (this.printed.includes(end) ? undefined : end))
    return this.printed.slice(0, this.printed.indexOf(end))
  }
}
