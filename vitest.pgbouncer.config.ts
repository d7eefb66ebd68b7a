import { defineConfig } from "vitest/config"
import { quickPure, settings } from "./vitest.config.ts"

process.env.TEST_POOLER = "pgbouncer"

/** API tests on PostgreSQL through PgBouncer in transaction mode (RG-19), and tests that require a pooler. */
export default defineConfig({
  test: {
    ...settings,
    reporters: ["default"],
    name: "postgres",
    include: [
      "test/pgbouncer/*.test.ts",
      "test/{access,actors,apps,console,credentials,external,hooks,hosted,imports,limits,oauth,realms,v1,v2}/**/*.test.ts",
      "test/server/postgres/*.test.ts",
      "test/sql/*.test.ts"
    ],
    // The last two files inspect PostgreSQL without a pooler, and the environment of the container image.
    exclude: [...quickPure, "test/**/embedded/**", "test/server/postgres/{DatabaseInspection,Container}.test.ts"],
    // PgBouncer accepts any number of connections.
    testNamePattern: /^(?!More connections than the server allows)/,
    globalSetup: "test/support/globalSetup.ts",
    setupFiles: "test/suite/eachFile.ts"
  }
})
