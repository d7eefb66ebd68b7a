import { nodeRefusal } from "./NodeVersion.ts"

// What imports the service or its test kit into a process is told at once that Node is too old for it.
const refusal = nodeRefusal(process.versions.node)
if (refusal !== undefined) throw new Error(refusal)
