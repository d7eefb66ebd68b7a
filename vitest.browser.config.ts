import { defineConfig } from "vitest/config"
import { settings } from "./vitest.config.ts"

/** The pages as people meet them, in a real browser; apart from `npm test`, which needs none. */
export default defineConfig({
  test: {
    ...settings,
    reporters: ["default"],
    name: "browser",
    include: ["test/browser/**/*.test.ts"],
    globalSetup: ["test/support/globalSetup.ts", "test/browser/BuiltConsole.ts"],
    // A worker has one browser and one service, whatever files it runs. What a browser does takes long on a machine that does other things too.
    testTimeout: 180_000
  }
})
