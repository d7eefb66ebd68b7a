import { readFileSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import type { Change } from "./Changes.ts"

/** A line of the ledger: a requested change or its response. `id`: the id of the created resource. */
export type Line =
  | { readonly n: number; readonly change: Change }
  | { readonly n: number; readonly status: number; readonly id: string | null; readonly tries: number }

/** A log of requested and acknowledged changes. Each line is on disk before the run continues. */
export class Ledger {
  private readonly file: FileHandle
  private waiting: Array<{ readonly text: string; readonly done: () => void; readonly failed: (e: unknown) => void }> =
    []
  private busy = false

  private constructor(file: FileHandle) {
    this.file = file
  }

  static async open(path: string): Promise<Ledger> {
    return new Ledger(await open(path, "w"))
  }

  /** Appends a line. The promise resolves when the line is on disk. Lines appended in the meantime share the next write. */
  append(line: Line): Promise<void> {
    return new Promise((done, failed) => {
      this.waiting.push({ text: `${JSON.stringify(line)}\n`, done, failed })
      if (!this.busy) void this.flush()
    })
  }

  close(): Promise<void> {
    return this.file.close()
  }

  private async flush(): Promise<void> {
    this.busy = true
    while (this.waiting.length > 0) {
      const lines = this.waiting
      this.waiting = []
      try {
        await this.file.appendFile(lines.map(({ text }) => text).join(""))
        await this.file.datasync()
        for (const { done } of lines) done()
      } catch (error) {
        for (const { failed } of lines) failed(error)
      }
    }
    this.busy = false
  }
}

/** Reads the acknowledged changes of a ledger, in order of acknowledgement, and the number of unacknowledged ones. */
export const acknowledged = (path: string) => {
  const requested = new Map<number, Change>()
  const changes: Array<{ readonly change: Change; readonly id: string | null }> = []
  for (const text of readFileSync(path, "utf8").split("\n")) {
    if (text === "") continue
    const line: Line = JSON.parse(text)
    if ("change" in line) {
      requested.set(line.n, line.change)
      continue
    }
    const change = requested.get(line.n)
    if (change === undefined || !requested.delete(line.n))
      throw new Error(`The ledger has a response without a request: ${text}`)
    changes.push({ change, id: line.id })
  }
  return { changes, open: requested.size }
}
