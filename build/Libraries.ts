import { join } from "node:path"
import { build } from "esbuild"
import { builtins } from "./Builtins.ts"
import { clientOfApp } from "./ClientOfApp.ts"
import { clientEntries, effectEntries } from "./Entries.ts"

const root = join(import.meta.dirname, "..")

/** The folder of the bundle. The libraries read the same files. */
const outdir = process.argv[2] ?? join(root, "dist")

/**
 * Builds entries together. Splitting puts classes that several entries export into one chunk, so that each class exists
 * only once.
 */
const buildLibrary = async (entries: ReadonlyArray<string>, chunkNames: string): Promise<void> => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
    outdir,
    bundle: true,
    splitting: true,
    chunkNames,
    platform: "node",
    target: "es2022",
    format: "esm",
    sourcemap: true,
    // Packages that an app shares with this one must not be duplicated. Native and WebAssembly packages can't be bundled.
    external: ["effect", "jose", "@node-rs/argon2", "@node-rs/bcrypt", "@electric-sql/pglite"],
    plugins: [builtins, clientOfApp],
    metafile: true,
    logLevel: "warning"
  })
  let total = 0
  for (const [file, { bytes }] of Object.entries(metafile.outputs)) if (file.endsWith(".js")) total += bytes
  console.log(`${entries.length} entries, ${Math.ceil(total / 1024)} kB`)
}

// The client is a package of its own. The other chunks are next to the files that the code reads.
await buildLibrary(clientEntries, "client/library-[hash]")
await buildLibrary(effectEntries, "library-[hash]")
