import { fileURLToPath, pathToFileURL } from "node:url"
import { buildOfSource } from "#server/SourceBuild"

// Run by `npm start`. Starts the bundle, which loads twice as fast, if it was built from this source. Otherwise starts the source.
const root = fileURLToPath(new URL("../../", import.meta.url))
const build = buildOfSource(root, `${root}dist`)
await import(build === undefined ? "./main.ts" : pathToFileURL(build).href)
