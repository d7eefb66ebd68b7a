import { randomInt } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { buildService } from "../test/harness/Build.ts"
import { table } from "../test/harness/Figures.ts"

import { NotPossibleHere, type Outcome, type Scenario } from "./faults/Scenario.ts"
import { scenarios } from "./faults/Scenarios.ts"

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    only: { type: "string", default: scenarios.map(({ name }) => name).join(",") },
    rounds: { type: "string", default: "5" },
    service: { type: "string" }
  }
})
const seed = Number(options.seed)
const rounds = Number(options.rounds)
const selected = options.only.split(",").map((name) => {
  const scenario = scenarios.find((known) => known.name === name)
  if (scenario !== undefined) return scenario
  throw new Error(`Unknown scenario ${name}. Scenarios: ${scenarios.map((known) => known.name).join(", ")}.`)
})

const began = performance.now()
const logProgress = (text: string) =>
  process.stderr.write(`${((performance.now() - began) / 1_000).toFixed(1)} s: ${text}\n`)
// Changes to this machine are reverted when the process exits. A signal must therefore end the process with an exit.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))

const results = new URL("results/faults", import.meta.url).pathname

const perform = async (scenario: Scenario, file: string): Promise<Outcome> => {
  const folder = join(results, scenario.name)
  mkdirSync(folder, { recursive: true })
  const log = (text: string) => logProgress(`${scenario.name}: ${text}`)
  try {
    return await scenario.run({ seed, file, folder, rounds, logProgress: log })
  } catch (error) {
    if (error instanceof NotPossibleHere)
      return { figures: [], broken: [`Not possible on this machine: ${error.message}`] }
    throw error
  }
}

const file = buildService(options.service)
logProgress(`seed ${seed}: ${selected.map(({ name }) => name).join(", ")}`)
const outcomes: Array<object> = []
for (const scenario of selected) {
  const { figures, broken } = await perform(scenario, file)
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["seed; machine; load", `${seed}; ${cpus().length} × ${cpus()[0]?.model.trim()}; ${loadavg()[0]?.toFixed(1)}`],
    ...figures,
    [scenario.promise, broken.length === 0 ? "passed" : `FAILED: ${broken.length}`]
  ]
  console.log(`${table([`${scenario.name}: ${scenario.row}`, ""], rows)}\n`)
  for (const problem of broken) logProgress(`${scenario.name}: ${problem}`)
  outcomes.push({ name: scenario.name, row: scenario.row, at: new Date().toISOString(), rows, broken })
  if (broken.length > 0) process.exitCode = 1
}
writeFileSync(join(results, "latest.json"), `${JSON.stringify(outcomes, null, 2)}\n`)
