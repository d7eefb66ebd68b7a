import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The clocks of nodes, each of which can be moved by itself while the node runs. */
export interface MovedClocks {
  /** What the nodes are started with. */
  readonly environment: Readonly<Record<string, string>>
  /** Moves the clock of the node at a port: so many milliseconds ahead of the right time, or behind. */
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
      // A file that is replaced is never read half written.
      const next = join(folder, "next")
      writeFileSync(next, String(millis))
      renameSync(next, join(folder, String(port)))
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
