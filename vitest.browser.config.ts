import { defineConfig } from "vitest/config"
import { sequence } from "./test/suite/LongestFirst.ts"

/** The pages as people meet them, in a real browser; apart from `npm test`, which needs none. */
export default defineConfig({
  test: {
    name: "browser",
    include: ["test/browser/**/*.test.ts"],
    globalSetup: ["test/support/globalSetup.ts", "test/browser/BuiltConsole.ts"],
    // Nothing waits for time: the limit ends what hangs, on a machine that does other things too.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // A worker keeps its modules: it has one browser and one service, whatever files it runs.
    pool: "forks",
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    maxWorkers: 2,
    sequence
  }
})
