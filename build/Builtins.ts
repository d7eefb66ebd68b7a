import { builtinModules } from "node:module"
import type { Plugin } from "esbuild"

const names = new Set(builtinModules)

/**
 * Loads Node's own modules on demand. An import would read every getter of a module and so load unused parts (`fetch`
 * and HTTP/2 for `node:http`), which takes a tenth of a start. Besides, an ES module has no `require` for the CommonJS
 * packages of a bundle.
 */
export const builtins: Plugin = {
  name: "builtins",
  setup(build) {
    build.onResolve({ filter: /^[\w:/]+$/ }, ({ path, kind }) =>
      (kind === "import-statement" || kind === "require-call") && (path.startsWith("node:") || names.has(path))
        ? { path, namespace: "builtin" }
        : undefined
    )
    build.onLoad({ filter: /^/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`
    }))
  }
}
