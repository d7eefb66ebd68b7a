import { copyFileSync, cpSync, rmSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"
import { recordSource } from "../src/server/SourceBuild.ts"
import { builtins } from "./Builtins.ts"
import { buildConsole } from "./Console.ts"

const root = join(import.meta.dirname, "..")

/** The folder of the bundle. */
const outdir = process.argv[2] ?? join(root, "dist")

rmSync(outdir, { recursive: true, force: true })

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { sallyport: "src/cli/main.ts", MailWorker: "src/server/MailWorker.ts" },
  outdir,
  bundle: true,
  // With chunks of its own, code of the embedded database is loaded only where it is used.
  splitting: true,
  platform: "node",
  target: "node22",
  format: "esm",
  sourcemap: true,
  sourcesContent: false,
  // Native and WebAssembly packages are not bundled; nor is a page that nobody asks for. Everything else is.
  external: ["@node-rs/argon2", "@node-rs/bcrypt", "@electric-sql/pglite", "*/httpApiSwagger.js"],
  plugins: [builtins],
  metafile: true,
  logLevel: "warning"
})

// Read at run time from the folder of the bundle.
copyFileSync(join(root, "src/core/passwords/CommonPasswords.br"), join(outdir, "CommonPasswords.br"))
for (const file of ["docs/guides", "docs/logs.md", ".env.example"])
  cpSync(join(root, file), join(outdir, file), { recursive: true })

await buildConsole(join(outdir, "console"))

recordSource(root, outdir)

for (const [file, { bytes }] of Object.entries(metafile.outputs)) {
  if (file.endsWith(".js")) console.log(`${file} ${Math.ceil(bytes / 1024)} kB`)
}
