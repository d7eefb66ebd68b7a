import { copyFileSync, rmSync } from "node:fs"
import { build } from "esbuild"

// Native and WebAssembly packages stay beside the bundle; everything else is inside it.
const external = ["@node-rs/argon2", "@node-rs/bcrypt", "@electric-sql/pglite"]

/** Where the bundle goes: `dist` unless told otherwise. */
const outdir = process.argv[2] ?? "dist"

rmSync(outdir, { recursive: true, force: true })

const { metafile } = await build({
  entryPoints: { sallyport: "src/server/main.ts", MailWorker: "src/server/MailWorker.ts" },
  outdir,
  bundle: true,
  // What only the embedded database needs is loaded only by it.
  splitting: true,
  platform: "node",
  target: "node22",
  format: "esm",
  sourcemap: true,
  sourcesContent: false,
  external,
  // Packages in the older module format look for require.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);'
  },
  metafile: true,
  logLevel: "warning"
})

// Read at run time, from beside the code that reads it.
copyFileSync("src/core/passwords/CommonPasswords.br", `${outdir}/CommonPasswords.br`)

for (const [file, { bytes }] of Object.entries(metafile.outputs)) {
  if (file.endsWith(".js")) console.log(`${file} ${Math.ceil(bytes / 1024)} kB`)
}
