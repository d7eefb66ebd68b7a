import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The clocks of nodes. Each can be moved separately while the node runs. */
export interface MovedClocks {
  /** The nodes' environment variables. */
  readonly environment: Readonly<Record<string, string>>
  /** Sets the clock of the node at a port ahead of or behind the right time by this many milliseconds. */
  readonly move: (port: number, millis: number) => void
  readonly remove: () => void
}

/** Clocks that are right until they are moved. */
export const movedClocks = (): MovedClocks => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-clocks-"))
  return {
    environment: {
      NODE_OPTIONS: `--import=${new URL("MovedClock.ts", import.meta.url).href}`,
      MOVED_CLOCKS: folder
    },
    move: (port, millis) => {
      // Replacing the file ensures that it is never read half written.
      const next = join(folder, "next")
      writeFileSync(next, String(millis))
      renameSync(next, join(folder, String(port)))
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
