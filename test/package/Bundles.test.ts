import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { expect, test } from "vitest"
import { installed } from "./Consumer.ts"

/** Bundles an entry for browsers. */
const bundled = async (entry: string) => {
  const { metafile, outputFiles, warnings } = await build({
    stdin: { contents: `export * from "${entry}"`, resolveDir: installed },
    bundle: true,
    minify: true,
    platform: "browser",
    format: "esm",
    write: false,
    metafile: true,
    logLevel: "silent"
  })
  const packages = Object.keys(metafile.inputs).flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []
  )
  return { warnings, packages: [...new Set(packages)].sort(), bytes: gzipSync(outputFiles[0]?.contents ?? "").length }
}

test("a browser bundle of sallyport/client contains only its own code and jose", async () => {
  const { warnings, packages } = await bundled("sallyport/client")
  expect(packages).toEqual(["jose", "sallyport"])
  expect(warnings).toEqual([])
})

test("a bundle of sallyport/client/browser contains only its own code, in less than 12 KB compressed", async () => {
  const { warnings, packages, bytes } = await bundled("sallyport/client/browser")
  console.log(`sallyport/client/browser: ${bytes} bytes, compressed`)
  expect(packages).toEqual(["sallyport"])
  expect(warnings).toEqual([])
  expect(bytes).toBeLessThan(12_000)
})
