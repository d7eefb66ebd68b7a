import { defineConfig } from "vitest/config"
import { projects, settings } from "./vitest.config.ts"

/**
 * Runs all API and page tests on both databases. `npm test` instead checks by the executed statements that both
 * databases are covered.
 */
export default defineConfig({ test: { ...settings, projects: projects(["test/**/*.test.ts"]) } })
