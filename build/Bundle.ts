import { copyFileSync, cpSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"
import { recordSource } from "../src/server/SourceBuild.ts"
import { builtins } from "./Builtins.ts"
import { clientOfApp } from "./ClientOfApp.ts"
import { buildConsole } from "./Console.ts"
import { PROMISE_KIT } from "./Entries.ts"
import { licensesOf, packagesOf } from "./Licenses.ts"
import { billOf, npmComponents } from "./Sbom.ts"

const root = join(import.meta.dirname, "..")

/** The output folder. */
const outdir = process.argv[2] ?? join(root, "dist")

rmSync(outdir, { recursive: true, force: true })

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: {
    sallyport: "src/cli/main.ts",
    MailWorker: "src/server/MailWorker.ts",
    OpsWorker: "src/server/OpsWorker.ts",
    [PROMISE_KIT]: `src/${PROMISE_KIT}.ts`
  },
  outdir,
  bundle: true,
  // With splitting, the code of the embedded database is loaded only where it is used.
  splitting: true,
  platform: "node",
  target: "node22",
  format: "esm",
  sourcemap: true,
  sourcesContent: false,
  // Everything is bundled except native and WebAssembly packages, and a page that is never served.
  external: ["@node-rs/argon2", "@node-rs/bcrypt", "@electric-sql/pglite", "*/httpApiSwagger.js"],
  plugins: [builtins, clientOfApp],
  metafile: true,
  logLevel: "warning"
})

// Read at run time from the bundle's folder.
copyFileSync(join(root, "src/core/passwords/CommonPasswords.br"), join(outdir, "CommonPasswords.br"))
for (const file of ["docs/guides", "docs/logs.md", "docs/metrics.md", ".env.example"])
  cpSync(join(root, file), join(outdir, file), { recursive: true })

const inputs = [...Object.keys(metafile.inputs), ...(await buildConsole(join(outdir, "console")))]

// The licenses and the bill of materials of the bundled packages.
const packages = packagesOf(root, inputs)
writeFileSync(join(outdir, "licenses.txt"), licensesOf(root, packages))
writeFileSync(join(outdir, "sbom.cdx.json"), billOf(root, npmComponents(root, packages)))

recordSource(root, outdir)

for (const [file, { bytes }] of Object.entries(metafile.outputs)) {
  if (file.endsWith(".js")) console.log(`${file} ${Math.ceil(bytes / 1024)} kB`)
}
