import { registerHooks } from "node:module"

/** The rings, as in `imports` of `package.json`. */
const RING = /^#([a-z]+)\/(.+)$/

const source = new URL("../../src/", import.meta.url).href

/**
 * Resolves the repository's own modules by their import names. Otherwise vitest notifies its main process of each
 * import of each worker, about ten thousand times, to know which tests to rerun when a file changes. A single run
 * doesn't need that.
 */
if (process.env["VITEST_MODE"] === "RUN") {
  registerHooks({
    resolve: (specifier, context, next) => {
      if (context.parentURL?.includes("/node_modules/") !== false) return next(specifier, context)
      const [, ring, name] = RING.exec(specifier) ?? []
      const isFile = /^\.{1,2}\/.*\.ts$/.test(specifier)
      if (ring === undefined && !isFile) return next(specifier, context)
      const { href } = isFile ? new URL(specifier, context.parentURL) : new URL(`${ring}/${name}.ts`, source)
      return { url: href, format: "module-typescript", shortCircuit: true }
    }
  })
}
