import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const block = 512

/** Extracts a tar archive into `folder`. */
export const untar = (archive: Buffer, folder: string): void => {
  const text = (from: number, length: number) => archive.toString("latin1", from, from + length).split("\0")[0] ?? ""
  for (let at = 0; at + block <= archive.length && archive[at] !== 0; ) {
    const prefix = text(at + 345, 155)
    const name = prefix === "" ? text(at, 100) : `${prefix}/${text(at, 100)}`
    const size = Number.parseInt(text(at + 124, 12).trim() || "0", 8)
    const path = join(folder, name)
    if (text(at + 156, 1) === "5") {
      mkdirSync(path, { recursive: true, mode: 0o700 })
    } else {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, archive.subarray(at + block, at + block + size), { mode: 0o600 })
    }
    at += block + Math.ceil(size / block) * block
  }
}
