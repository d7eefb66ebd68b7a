import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"

const root = join(import.meta.dirname, "../..")

/** Bundles a client entry for browsers. Returns its files, its external modules and its size. */
export const browserBundle = async (entry: string) => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join("src/client", entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    metafile: true,
    outfile: "bundle.js",
    logLevel: "silent"
  })
  return {
    files: Object.keys(metafile.inputs),
    imports: metafile.outputs["bundle.js"]?.imports,
    compressed: gzipSync(outputFiles[0]?.contents ?? "").length
  }
}
