import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The clocks of nodes. Each clock can be shifted separately while its node runs. */
export interface MovedClocks {
  /** The nodes' environment variables. */
  readonly environment: Readonly<Record<string, string>>
  /** Shifts the clock of the node on a port by this many milliseconds from the right time. */
  readonly move: (port: number, millis: number) => void
  readonly remove: () => void
}

/** Creates clocks that are right until they are moved. */
export const movedClocks = (): MovedClocks => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-clocks-"))
  return {
    environment: {
      NODE_OPTIONS: `--import=${new URL("MovedClock.ts", import.meta.url).href}`,
      MOVED_CLOCKS: folder
    },
    move: (port, millis) => {
      // The file is replaced, so that it is never read while half written.
      const next = join(folder, "next")
      writeFileSync(next, String(millis))
      renameSync(next, join(folder, String(port)))
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
