import { defineConfig } from "vitest/config"
import { projects, settings } from "./vitest.config.ts"

/** The whole surface on both databases: what `npm test` shows by its statements, shown by running everything twice. */
export default defineConfig({ test: { ...settings, projects: projects(["test/**/*.test.ts"]) } })
