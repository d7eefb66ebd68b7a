import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { difference, missingLine } from "./Difference.ts"
import type { Block } from "./Page.ts"
import { ServerTerminal, Shell, type Variables } from "./Terminal.ts"

/** Languages of blocks that other programs read. A block with a name becomes a file. */
const otherLanguages = ["haproxy", "nginx", "caddyfile", "yaml", "ini", "sql"]

/** A free port on this machine. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** The ports that pages use. */
const ports = /\b(?:30|40)0\d\b|\b8443\b/g

/** A line that needs a value from an earlier output: `export USER_ID=usr_…`. A reader copies it by hand. */
const copied = /([A-Z_]+=)(\w+[_:]?)…/g

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** A reader's starting point. */
interface Start {
  readonly variables: Variables
  /** The text on the screen. */
  readonly seen: string
  /** The service's port and output. */
  readonly port: number
  readonly service: () => string
  /** What the reader's folder contains: links by name. Empty if the packages are installed above it. */
  readonly links: Readonly<Record<string, string>>
}

/** A reader who follows a page from its first to its last block, in a separate folder. */
export class Walkthrough {
  readonly #folder: string
  readonly #shell: Shell
  readonly #variables: Variables
  readonly #servers: Array<ServerTerminal> = []
  /** The outputs so far, latest first. */
  readonly #seen: Array<string>
  /** The local port for each port on the page. */
  readonly #ports: ReadonlyMap<string, number>
  readonly #service: () => string
  #printed = ""

  private constructor(folder: string, { variables, seen, service }: Start, ports: ReadonlyMap<string, number>) {
    this.#folder = folder
    this.#variables = variables
    this.#shell = new Shell(folder, variables)
    this.#seen = [seen]
    this.#ports = ports
    this.#service = service
  }

  static async begin(folder: string, blocks: ReadonlyArray<Block>, start: Start): Promise<Walkthrough> {
    mkdirSync(folder, { recursive: true })
    for (const [name, target] of Object.entries(start.links)) symlinkSync(target, join(folder, name))
    const here = new Map([["3000", start.port]])
    for (const [other] of blocks.flatMap(({ code }) => [...code.matchAll(ports)])) {
      if (!here.has(other)) here.set(other, await freePort())
    }
    return new Walkthrough(folder, start, here)
  }

  #here(text: string): string {
    return text.replaceAll(ports, (port) => String(this.#ports.get(port) ?? port))
  }

  /** The latest value on the screen that starts with this text. */
  #copy(beginning: string): string {
    // Excludes names of members, such as `org_id`.
    const whole = new RegExp(`(?<![\\w-])${escaped(beginning)}[\\w.:+/=-]+(?![\\w.:+/=-]|":)`)
    for (const text of this.#seen) {
      const found = whole.exec(text)
      if (found !== null) return found[0]
    }
    throw new Error(`Nothing on the screen begins with ${beginning}.`)
  }

  #filled(code: string): string {
    return code.replaceAll(copied, (_, name: string, beginning: string) => `${name}'${this.#copy(beginning)}'`)
  }

  async #run(code: string): Promise<void> {
    // The value that a line copies may be printed just above it.
    for (const part of code.split(/(?=^export [A-Z_]+=\w+[_:]?…)/m)) {
      this.#printed = await this.#shell.run(this.#filled(part))
      this.#seen.unshift(this.#printed)
    }
  }

  async #start(code: string): Promise<void> {
    const server = new ServerTerminal(this.#filled(code), this.#folder, this.#variables)
    this.#servers.push(server)
    await server.started()
    this.#seen.unshift(server.printed)
  }

  #compareJson(shown: string): string | undefined {
    try {
      // With several commands, the last output counts.
      const [last = ""] = this.#printed.split(/(?<=\})(?=\{)/).slice(-1)
      return difference(JSON.parse(shown), JSON.parse(last), "It")
    } catch (error) {
      return String(error)
    }
  }

  async #compareText(shown: string, note: string): Promise<string | undefined> {
    const server = this.#servers.at(-1)
    if (note !== "terminal") return missingLine(shown, this.#printed)
    if (server === undefined) return missingLine(shown, this.#service())
    await server.until(() => missingLine(shown, server.printed))
    return undefined
  }

  /** Runs a block, or compares its content with the output. Fails if the page is wrong. */
  async follow({ language, note, code: written }: Block): Promise<void> {
    const code = this.#here(written)
    // One service runs for all pages.
    if (language === "sh" && note === "service") return
    if (language === "sh" && note === "terminal") return this.#start(code)
    if (language === "sh" && note === "") return this.#run(code)
    if (language === "json" || language === "text") {
      const wrong = language === "json" ? this.#compareJson(code) : await this.#compareText(code, note)
      if (wrong !== undefined) throw new Error(`${wrong}\nShown:\n${code}\nPrinted:\n${this.#printed}`)
    } else if (note !== "") {
      writeFileSync(join(this.#folder, note), code)
    } else if (!otherLanguages.includes(language)) {
      throw new Error(`A block of ${language} needs the name of its file.`)
    }
  }

  async end(): Promise<void> {
    await Promise.all([this.#shell, ...this.#servers].map((terminal) => terminal.end()))
  }
}
