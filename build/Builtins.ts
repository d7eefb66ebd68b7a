import { builtinModules } from "node:module"
import type { Plugin } from "esbuild"

const names = new Set(builtinModules)

/**
 * Loads Node's own modules on demand. An import would read every getter of a module and thereby load unused parts (such
 * as `fetch` and HTTP/2 for `node:http`), which takes a tenth of the start. Also, CommonJS packages in a bundle need a
 * `require`, which ES modules don't have.
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
