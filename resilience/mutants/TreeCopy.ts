import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { applyMutant, type Edit } from "./Operator.ts"

/** A copy of the repository in a temporary folder. Mutants are applied to the copy. */
export interface TreeCopy {
  readonly root: string
  /** The folder for temporary files of the tests. */
  readonly temporary: string
  /** Runs an action while a file of the copy contains the mutant. */
  readonly withMutant: <A>(mutant: Edit & { readonly path: string }, run: () => Promise<A>) => Promise<A>
  readonly remove: () => void
}

/** Paths that no test reads. */
const left = /^(?:\.git|node_modules|dist|data|coverage|bench\/results|resilience\/results)$/

/** Hard-links the files of a folder into a new folder, or copies them if it is on another disk. */
const linkFolder = (from: string, to: string): void => {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkFolder(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else {
      try {
        linkSync(source, target)
      } catch {
        copyFileSync(source, target)
      }
    }
  }
}

/**
 * Copies the repository. Installed packages are linked file by file, because some tools treat linked folders
 * differently. The cache in the packages' folder is copied, because tests write to it.
 */
export const copyTree = (from: string): TreeCopy => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-mutants-"))
  const root = join(folder, "tree")
  const temporary = join(folder, "tmp")
  const packages = join(root, "node_modules")
  const cache = join(packages, ".cache")
  const cached = join(from, "node_modules/.cache")
  cpSync(from, root, { recursive: true, filter: (path) => !left.test(relative(from, path)) })
  // The database server may run as another user, who needs access to its folder.
  for (const path of [folder, root]) chmodSync(path, 0o755)
  linkFolder(join(from, "node_modules"), packages)
  for (const name of readdirSync(packages)) {
    if (name.startsWith(".") && name !== ".bin") rmSync(join(packages, name), { recursive: true })
  }
  /** Removes everything that the run with a mutant may have cached or left behind. */
  const clean = () => {
    for (const path of [cache, temporary]) rmSync(path, { recursive: true, force: true })
    if (existsSync(cached)) cpSync(cached, cache, { recursive: true })
    mkdirSync(temporary, { mode: 0o755 })
  }
  clean()
  return {
    root,
    temporary,
    withMutant: async (mutant, run) => {
      const file = join(root, mutant.path)
      const text = readFileSync(file, "utf8")
      writeFileSync(file, applyMutant(text, mutant))
      try {
        return await run()
      } finally {
        writeFileSync(file, text)
        clean()
      }
    },
    // Processes that were killed may still be writing.
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}
