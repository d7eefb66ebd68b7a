import { fileURLToPath } from "node:url"
import { cacheCompiledCode } from "./CompileCache.ts"
import { limitHeapGrowth } from "./HeapGrowth.ts"
import { nodeRefusal } from "./NodeVersion.ts"

const refusal = nodeRefusal(process.versions.node)
if (refusal !== undefined) {
  console.error(refusal)
  process.exit(1)
}

limitHeapGrowth()
cacheCompiledCode(fileURLToPath(import.meta.url))

// Loaded after that, so that all of it is compiled once only.
const { runMain } = await import("@effect/platform-node/NodeRuntime")
const { exitCode, program } = await import("./Program.ts")

runMain(program, { disableErrorReporting: true, teardown: (exit, onExit) => onExit(exitCode(exit)) })
