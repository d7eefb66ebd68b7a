import type { Plugin } from "esbuild"
import { clientImport } from "./Entries.ts"

/**
 * Lets the test kit import the client from the package `sallyport`, like the app under test, so that each class exists
 * once: `instanceof NotFound` also works for errors from the kit.
 */
export const clientOfApp: Plugin = {
  name: "client of the app",
  setup(build) {
    build.onResolve({ filter: /^#client\// }, ({ path, importer }) => {
      if (!importer.includes("/src/testing/")) return undefined
      const name = clientImport(path.slice(1))
      return name === undefined ? undefined : { path: name, external: true }
    })
  }
}
