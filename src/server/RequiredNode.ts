import { nodeRefusal } from "./NodeVersion.ts"

// Programs that import the service or its test kit fail immediately if their Node is too old.
const refusal = nodeRefusal(process.versions.node)
if (refusal !== undefined) throw new Error(refusal)
