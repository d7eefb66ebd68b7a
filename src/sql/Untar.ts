import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const block = 512

/** A file or folder in a tar archive. `path` has no leading or trailing slash. */
interface Entry {
  readonly path: string
  readonly isFolder: boolean
  /** The position of the file's content in the archive. */
  readonly from: number
  readonly to: number
}

/** The entries of a tar archive. Each folder comes before its content. */
export const entriesOf = (archive: Buffer): ReadonlyArray<Entry> => {
  const entries: Array<Entry> = []
  const text = (from: number, length: number) => archive.toString("latin1", from, from + length).split("\0")[0] ?? ""
  for (let at = 0; at + block <= archive.length && archive[at] !== 0; ) {
    const prefix = text(at + 345, 155)
    const name = prefix === "" ? text(at, 100) : `${prefix}/${text(at, 100)}`
    const size = Number.parseInt(text(at + 124, 12).trim() || "0", 8)
    const from = at + block
    const isFolder = text(at + 156, 1) === "5"
    entries.push({ path: name.replace(/^\/+|\/+$/g, ""), isFolder, from, to: from + size })
    at = from + Math.ceil(size / block) * block
  }
  return entries
}

/** Extracts a tar archive into `folder`. */
export const untar = (archive: Buffer, folder: string): void => {
  for (const { path, isFolder, from, to } of entriesOf(archive)) {
    const target = join(folder, path)
    mkdirSync(isFolder ? target : dirname(target), { recursive: true, mode: 0o700 })
    if (!isFolder) writeFileSync(target, archive.subarray(from, to), { mode: 0o600 })
  }
}
