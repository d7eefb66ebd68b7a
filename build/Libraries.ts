import { join } from "node:path"
import { build } from "esbuild"
import { builtins } from "./Builtins.ts"
import { entries } from "./Entries.ts"

const root = join(import.meta.dirname, "..")

/** The folder of the bundle. The libraries read the same files. */
const outdir = process.argv[2] ?? join(root, "dist")

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
  outdir,
  bundle: true,
  // Splitting puts classes that several entries export into one chunk, so that each class exists only once. The chunks
  // are next to the files that the code reads.
  splitting: true,
  chunkNames: "library-[hash]",
  platform: "node",
  target: "es2022",
  format: "esm",
  sourcemap: true,
  // Packages that an app shares with this one must not be duplicated. Native and WebAssembly packages can't be bundled.
  external: ["effect", "jose", "@node-rs/argon2", "@node-rs/bcrypt", "@electric-sql/pglite"],
  plugins: [builtins],
  metafile: true,
  logLevel: "warning"
})

let total = 0
for (const [file, { bytes }] of Object.entries(metafile.outputs)) if (file.endsWith(".js")) total += bytes
console.log(`${entries.length} entries, ${Math.ceil(total / 1024)} kB`)
