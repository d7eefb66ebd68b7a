import { Effect } from "effect"
import { nodeRefusal } from "#server/NodeVersion"
import { type Finding, ok, problem } from "../Finding.ts"
import type { Check } from "../Subject.ts"

export const nodeFinding = (version: string): Finding => {
  const refusal = nodeRefusal(version)
  if (refusal === undefined) return ok(`Node ${version} runs Sallyport.`)
  return problem(refusal, "Install a newer Node, for example with nvm install --lts.")
}

/** Checks whether this Node.js release can run the service. */
export const nodeRelease: Check = {
  name: "node",
  place: "settings",
  run: () => Effect.sync(() => nodeFinding(process.versions.node))
}
