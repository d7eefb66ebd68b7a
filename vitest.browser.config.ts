import { defineConfig } from "vitest/config"

/** The pages as people meet them, in a real browser; apart from `npm test`, which needs none. */
export default defineConfig({
  test: {
    name: "browser",
    include: ["test/browser/**/*.test.ts"],
    globalSetup: ["test/support/globalSetup.ts", "test/browser/Chromium.ts"],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    // One worker, which keeps its modules: one browser and one service for the whole run.
    pool: "forks",
    isolate: false,
    maxWorkers: 1
  }
})
