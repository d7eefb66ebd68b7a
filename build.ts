import { copyFileSync, cpSync, rmSync } from "node:fs"
import { build, type Plugin } from "esbuild"
import { recordSource } from "./src/server/SourceBuild.ts"

// Native and WebAssembly packages are not bundled; everything else is.
const external = ["@node-rs/argon2", "@node-rs/bcrypt", "@electric-sql/pglite"]

/**
 * Imports of Node's own modules become `require`: an import reads every getter of such a module, and so loads what nobody uses
 * (`fetch` and HTTP/2 for `node:http`), which is a tenth of a start.
 */
const requiredBuiltins: Plugin = {
  name: "required-builtins",
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === "import-statement" ? { path, namespace: "builtin" } : undefined
    )
    build.onLoad({ filter: /^/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`
    }))
  }
}

/** The folder of the bundle. */
const outdir = process.argv[2] ?? "dist"

rmSync(outdir, { recursive: true, force: true })

const { metafile } = await build({
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
  external,
  plugins: [requiredBuiltins],
  // CommonJS packages in the bundle call `require`.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);'
  },
  metafile: true,
  logLevel: "warning"
})

// Read at run time from the folder of the bundle.
copyFileSync("src/core/passwords/CommonPasswords.br", `${outdir}/CommonPasswords.br`)
for (const file of ["docs/guides", "docs/logs.md", ".env.example"])
  cpSync(file, `${outdir}/${file}`, { recursive: true })

recordSource(import.meta.dirname, outdir)

for (const [file, { bytes }] of Object.entries(metafile.outputs)) {
  if (file.endsWith(".js")) console.log(`${file} ${Math.ceil(bytes / 1024)} kB`)
}
