import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, posix } from "node:path"
import { clientImport, entries, PROMISE_KIT } from "./Entries.ts"
import { reachableTypes } from "./ReachableTypes.ts"

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

/** Returns the module that a specifier in a declaration names. */
const moduleNamed = (module: string, specifier: string): string | undefined => {
  if (specifier.startsWith("#")) return specifier.slice(1)
  return specifier.startsWith(".") ? posix.join(posix.dirname(module), specifier).replace(/\.ts$/, "") : undefined
}

const write = (path: string, text: string): void => {
  const target = join(outdir, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}

/** Copies the types that an entry's exports need to a folder. Without the others, they don't need Effect. */
const copyReachable = (entry: string, folder: string, from: string): number => {
  const ownModule = (module: string, specifier: string): string | undefined => {
    const other = moduleNamed(module, specifier)
    return other === undefined || clientImport(other) !== undefined ? undefined : other
  }
  const found = reachableTypes(entry, {
    read: (module) => readFileSync(join(from, `${module}.d.ts`), "utf8"),
    resolve: ownModule,
    specifier: (module, specifier) => {
      const own = ownModule(module, specifier)
      if (own === undefined) return clientImport(moduleNamed(module, specifier) ?? "") ?? specifier
      const path = posix.relative(posix.dirname(module), own)
      return `${path.startsWith(".") ? "" : "./"}${path}.js`
    }
  })
  for (const [module, text] of found) write(`${folder}/${module}.d.ts`, text)
  write(`${entry}.d.ts`, `export * from "./${posix.relative(posix.dirname(entry), folder)}/${entry}.js"\n`)
  return found.size
}

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
    (whole: string, start: string, rest: string) => {
      const other = moduleNamed(module, start + rest) ?? whole
      const client = module.startsWith("client/") ? undefined : clientImport(other)
      if (client !== undefined) return client
      copy(other, from, done)
      const path = posix.relative(folder, other)
      return `${path.startsWith(".") ? "" : "./"}${path}.js`
    }
  )
  write(`${module}.d.ts`, text)
  return done.size
}

const emitted = mkdtempSync(join(tmpdir(), "sallyport-declarations-"))
try {
  emit(emitted)
  const done = new Set<string>()
  for (const entry of entries.filter((one) => one !== PROMISE_KIT)) copy(entry, emitted, done)
  const plain = copyReachable(PROMISE_KIT, "testing/types", emitted)
  console.log(`${done.size} declarations, ${plain} without Effect`)
} finally {
  rmSync(emitted, { recursive: true, force: true })
}
