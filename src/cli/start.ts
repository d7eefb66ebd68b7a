import { fileURLToPath, pathToFileURL } from "node:url"
import { buildOfSource } from "#server/SourceBuild"

// What `npm start` runs: the bundle, which starts in half the time, where it was made of this very source; otherwise the source.
const root = fileURLToPath(new URL("../../", import.meta.url))
const build = buildOfSource(root, `${root}dist`)
await import(build === undefined ? "./main.ts" : pathToFileURL(build).href)
