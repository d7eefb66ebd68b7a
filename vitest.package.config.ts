import { defineConfig } from "vitest/config"

/** Tests that require the packed packages, installed into empty projects outside the repository. They use the npm registry. */
export default defineConfig({
  test: {
    name: "package",
    include: ["test/package/*.test.ts"],
    globalSetup: "test/package/Installed.ts",
    // Tests don't wait for fixed times. The limit ends tests that hang, and is long enough for a busy machine.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    pool: "forks",
    maxWorkers: 2
  }
})
