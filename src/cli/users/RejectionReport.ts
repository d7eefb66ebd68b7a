import { Effect } from "effect"
import type { RejectedRow } from "./Batches.ts"
import { Disk, type WrittenFile, writing } from "./Disk.ts"

const todo =
  "Free up disk space, or choose another file with --report, and run the same command again to resume the import and the report."

/**
 * Writes the report of rejected rows: one JSON object per row, with its line, reference, email and errors. The file is
 * created with the first row.
 */
export const openReport = Effect.fnUntraced(function* (path: string, kept: number) {
  const disk = yield* Disk
  let file: WrittenFile | undefined
  let bytes = kept

  const opened = async () => {
    if (file !== undefined) return file
    file = await disk.open(path, bytes > 0 ? "a" : "w")
    // A killed run may have written more than its state file records.
    await file.truncate(bytes)
    return file
  }

  yield* Effect.addFinalizer(() => Effect.promise(async () => file?.close().catch(() => undefined)))

  return {
    path,
    bytes: () => bytes,
    write: (rows: ReadonlyArray<RejectedRow>) =>
      rows.length === 0
        ? Effect.void
        : writing(path, todo, async () => {
            const lines = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
            await (await opened()).appendFile(lines)
            bytes += lines.length
          })
  }
})
