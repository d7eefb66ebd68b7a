import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { brotliCompressSync, constants } from "node:zlib"
import { build } from "esbuild"
import { licensesOf, packagesOf } from "./Licenses.ts"

const root = join(import.meta.dirname, "..")

/**
 * Builds the console to a folder: its page, and its scripts and styles, whose names contain a content hash (ADR-0021).
 * Returns the input files.
 */
export const buildConsole = async (folder: string): Promise<ReadonlyArray<string>> => {
  rmSync(folder, { recursive: true, force: true })
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { console: "src/admin/Main.tsx" },
    outdir: join(folder, "assets"),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    bundle: true,
    // Each page is a chunk that is loaded when the page is opened.
    splitting: true,
    format: "esm",
    platform: "browser",
    target: ["es2022", "chrome120", "firefox121", "safari17.2"],
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    minify: true,
    metafile: true,
    logLevel: "warning"
  })

  const [entry, output] =
    Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === "src/admin/Main.tsx") ?? []
  if (entry === undefined || output?.cssBundle === undefined) throw new Error("The console lacks a script or a style.")
  const assets = (path: string) => `/console/assets/${basename(path)}`
  const preloads = output.imports
    .filter(({ kind }) => kind === "import-statement")
    .map(({ path }) => `<link rel="modulepreload" href="${assets(path)}">\n`)
  const page = readFileSync(join(root, "src/admin/Page.html"), "utf8")
    .replace("<!-- style -->", `<link rel="stylesheet" href="${assets(output.cssBundle)}">`)
    .replace("<!-- script -->", `${preloads.join("")}<script type="module" src="${assets(entry)}"></script>`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "index.html"), page)
  const inputs = Object.keys(metafile.inputs)
  writeFileSync(join(folder, "licenses.txt"), licensesOf(root, packagesOf(root, inputs)))

  let first = 0
  const initialFiles = new Set([entry, output.cssBundle, ...output.imports.map(({ path }) => path)])
  for (const path of Object.keys(metafile.outputs)) {
    const file = join(root, path)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    const compressed = brotliCompressSync(readFileSync(file), { params })
    writeFileSync(`${file}.br`, compressed)
    const isFirst =
      initialFiles.has(path) && !output.imports.some((one) => one.path === path && one.kind === "dynamic-import")
    if (isFirst) first += compressed.byteLength
  }
  console.log(`console ${Math.ceil(first / 1024)} kB compressed at first`)
  return inputs
}

if (process.argv[1] === import.meta.filename) await buildConsole(process.argv[2] ?? join(root, "dist/console"))
