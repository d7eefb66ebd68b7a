import { defineConfig } from "vitest/config"

/** What only the packed package can show: installed into empty projects outside the repository. It asks the npm registry. */
export default defineConfig({
  test: {
    name: "package",
    include: ["test/package/*.test.ts"],
    globalSetup: "test/package/Installed.ts",
    // Nothing waits for time: the limit ends what hangs, on a machine that does other things too.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    pool: "forks",
    maxWorkers: 2
  }
})
