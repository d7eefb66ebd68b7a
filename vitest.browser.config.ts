import { defineConfig } from "vitest/config"
import { settings } from "./vitest.config.ts"

/** Tests of the pages in a real browser. They are separate from `npm test`, which needs no browser. */
export default defineConfig({
  test: {
    ...settings,
    reporters: ["default"],
    name: "browser",
    include: ["test/browser/**/*.test.ts"],
    globalSetup: ["test/support/globalSetup.ts", "test/browser/BuiltConsole.ts"],
    // A worker starts one browser and one service for all of its files. Browser tests are slow on a busy machine.
    testTimeout: 180_000
  }
})
