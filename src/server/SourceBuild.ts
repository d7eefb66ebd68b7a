import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"

/** The inputs of a build, relative to the root of the repository. */
const PARTS = [".env.example", "build", "docs/guides", "docs/logs.md", "docs/metrics.md", "package-lock.json", "src"]

/** The file in a build that records its inputs. */
const RECORD = "source"

const filesOf = (root: string, part: string): ReadonlyArray<string> => {
  const path = join(root, part)
  if (!existsSync(path)) return []
  const entries = part.includes(".") ? [] : readdirSync(path, { recursive: true, withFileTypes: true })
  return entries.length === 0
    ? [path]
    : entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

/** Returns a digest of all inputs: about 700 files, in about 30 ms. */
const digestOf = (root: string): string => {
  const hash = createHash("sha256")
  for (const file of PARTS.flatMap((part) => filesOf(root, part)).sort())
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0")
  return hash.digest("hex")
}

/** Records the inputs of the build in a folder. */
export const recordSource = (root: string, folder: string): void => writeFileSync(join(folder, RECORD), digestOf(root))

/** Returns the entry file of the build in a folder, or undefined if its inputs have changed. */
export const buildOfSource = (root: string, folder: string): string | undefined => {
  const [record, entry] = [join(folder, RECORD), join(folder, "sallyport.js")]
  return existsSync(record) && existsSync(entry) && readFileSync(record, "utf8") === digestOf(root) ? entry : undefined
}
