import { execFileSync } from "node:child_process"
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { build } from "esbuild"
import { clientManifest, SERVICE, serviceExports, serviceManifest } from "./Manifests.ts"

const root = join(import.meta.dirname, "..")

/** The files and folders of the service's package, relative to the root of the repository. */
const SERVICE_FILES = [
  "dist",
  "sql/migrations",
  "deploy",
  "docs/compare.md",
  "docs/console.md",
  "docs/console.png",
  "docs/guides",
  "docs/import-columns.md",
  "docs/logs.md",
  "docs/metrics.md",
  "docs/monitoring",
  "examples/team",
  ".env.example",
  "CHANGELOG.md",
  "README.md",
  "SECURITY.md"
]

/** Files that only the checkout needs, and source maps, which would double the size of the packages. */
const NOT_PACKED = /^(?:dist\/source|dist\/compiled\/.*|deploy\/compose\/secrets\/.*|.*\.map)$/

/** The last line of a script, which refers to its source map. */
const MAP_COMMENT = /\n\/\/# sourceMappingURL=\S+\s*$/

const filesIn = (path: string): ReadonlyArray<string> =>
  statSync(join(root, path)).isFile()
    ? [path]
    : readdirSync(join(root, path), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))

const write = (folder: string, file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

/** Copies a package's files and writes its manifest. */
const assemble = (folder: string, manifest: object, files: ReadonlyArray<string>): void => {
  write(folder, "package.json", `${JSON.stringify(manifest, null, 2)}\n`)
  for (const file of files.filter((path) => !NOT_PACKED.test(path))) {
    if (file.endsWith(".js")) write(folder, file, readFileSync(join(root, file), "utf8").replace(MAP_COMMENT, "\n"))
    else {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      copyFileSync(join(root, file), join(folder, file))
    }
  }
}

/** Assembles the client, the program that starts the other package's, and entries that export the other package's. */
const assembleClient = async (folder: string): Promise<void> => {
  assemble(folder, clientManifest, filesIn("dist/client"))
  copyFileSync(join(root, "build/ClientReadme.md"), join(folder, "README.md"))
  await build({
    absWorkingDir: root,
    entryPoints: { sallyport: "build/Launcher.ts", RequiredNode: "src/server/RequiredNode.ts" },
    outdir: join(folder, "dist"),
    bundle: true,
    platform: "node",
    // An old release must be able to load these files, so that it can report that it is too old for the others.
    target: "node18",
    format: "esm"
  })
  for (const [path, { types, default: script }] of serviceExports) {
    const exported = `export * from "${SERVICE}${path.slice(1)}"\n`
    const required = relative(dirname(script), "dist/RequiredNode.js").replaceAll("\\", "/")
    write(folder, types, exported)
    write(folder, script, `import "${required}"\n${exported}`)
  }
}

/** Packs both packages as built by `npm run build` (ADR-0016). The arguments are options of `npm pack`. */
const pack = async (options: ReadonlyArray<string>): Promise<void> => {
  const top = mkdtempSync(join(tmpdir(), "sallyport-pack-"))
  const [client, service] = [join(top, "sallyport"), join(top, SERVICE)]
  try {
    await assembleClient(client)
    const files = SERVICE_FILES.flatMap(filesIn).filter((file) => !file.startsWith("dist/client/"))
    assemble(service, serviceManifest, files)
    const words = ["pack", client, service, ...options]
    execFileSync("npm", words, { cwd: root, stdio: "inherit", shell: process.platform === "win32" })
  } finally {
    rmSync(top, { recursive: true, force: true })
  }
}

await pack(process.argv.slice(2))
