import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, posix } from "node:path"
import { clientImport, entries } from "./Entries.ts"

const root = join(import.meta.dirname, "..")

/** The folder of the libraries. */
const outdir = process.argv[2] ?? join(root, "dist")

/** Writes the declarations of all modules that the entries use, with TypeScript. */
const emit = (folder: string): void => {
  const project = join(folder, "tsconfig.json")
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    noCheck: true,
    rootDir: join(root, "src"),
    outDir: folder,
    typeRoots: [join(root, "node_modules/@types")]
  }
  const files = entries.map((entry) => join(root, `src/${entry}.ts`))
  writeFileSync(project, JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, include: [], files }))
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--checkers", "1", "-p", project], {
    stdio: "inherit"
  })
}

/** A module name in a declaration, in quotes. */
const named = /(?<=(?:from |import\(|import |module )")(#|\.)([^"]+)(?=")/g

/**
 * Copies a declaration and the declarations that it refers to. References become relative paths, so that they need
 * neither the sources nor `imports`. References to the client become imports of its package.
 */
const copy = (module: string, from: string, done = new Set<string>()): number => {
  if (done.has(module)) return done.size
  done.add(module)
  const folder = posix.dirname(module)
  const text = readFileSync(join(from, `${module}.d.ts`), "utf8").replaceAll(
    named,
    (_, start: string, rest: string) => {
      const other = start === "#" ? rest : posix.join(folder, start + rest).replace(/\.ts$/, "")
      const client = module.startsWith("client/") ? undefined : clientImport(other)
      if (client !== undefined) return client
      copy(other, from, done)
      const path = posix.relative(folder, other)
      return `${path.startsWith(".") ? "" : "./"}${path}.js`
    }
  )
  const target = join(outdir, `${module}.d.ts`)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
  return done.size
}

const emitted = mkdtempSync(join(tmpdir(), "sallyport-declarations-"))
try {
  emit(emitted)
  const done = new Set<string>()
  for (const entry of entries) copy(entry, emitted, done)
  console.log(`${done.size} declarations`)
} finally {
  rmSync(emitted, { recursive: true, force: true })
}
