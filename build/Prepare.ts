import { join } from "node:path"
import { buildOfSource } from "../src/server/SourceBuild.ts"

// Runs after an installation, and before packing, when everything has just been built. Builds the bundle only if there is none.
const root = join(import.meta.dirname, "..")
if (buildOfSource(root, join(root, "dist")) === undefined) await import("./Bundle.ts")
