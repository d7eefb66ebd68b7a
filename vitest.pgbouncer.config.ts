import { defineConfig } from "vitest/config"
import { quickPure, settings } from "./vitest.config.ts"

process.env.TEST_POOLER = "pgbouncer"

/** The surface on PostgreSQL through PgBouncer in transaction mode (RG-19), and what only a pooler shows. */
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
    // The last two look at PostgreSQL as it is without a pooler, and at the environment of the image.
    exclude: [...quickPure, "test/**/embedded/**", "test/server/postgres/{DatabaseInspection,Container}.test.ts"],
    // PgBouncer has as many connections as it is asked for.
    testNamePattern: /^(?!More connections than the server allows)/,
    globalSetup: "test/support/globalSetup.ts",
    setupFiles: "test/suite/eachFile.ts"
  }
})
