import { builtinModules } from "node:module"
import type { Plugin } from "esbuild"

const names = new Set(builtinModules)

/**
 * Node's own modules are asked for one by one. An import would read every getter of such a module, and so load what nobody uses
 * (`fetch` and HTTP/2 for `node:http`), which is a tenth of a start; and in an ES module there is no `require` for the CommonJS
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
