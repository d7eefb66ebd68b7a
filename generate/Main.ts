import { join } from "node:path"
import { writeGenerated } from "./Write.ts"

const folder = join(import.meta.dirname, "../src/client/generated")

console.log(`${writeGenerated(folder).length} files in src/client/generated`)
