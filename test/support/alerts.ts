import { readFileSync } from "node:fs"
import { parse } from "yaml"
import { evaluate, extrapolated, type Series } from "./promql.ts"

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
}

const file = readFileSync(new URL("../../docs/monitoring/alerts.yaml", import.meta.url), "utf8")
const rules: ReadonlyArray<Rule> = parse(file).groups.flatMap((group: { rules: ReadonlyArray<Rule> }) => group.rules)

const up = (value: number): Series => ({
  name: "up",
  labels: { job: "sallyport" },
  samples: Array.from({ length: 21 }, (_, minute) => [minute * 60, value])
})

/** The alerts that fire after twenty minutes in which each minute repeats the changes between two scrapes. */
export const firingAlerts = (before: string, after: string): ReadonlyArray<string> => {
  const series = [...extrapolated(before, after, 20), up(after === "" ? 0 : 1)]
  return rules
    .filter((rule) => {
      const minutes = rule.for === undefined ? 0 : Number.parseInt(rule.for, 10)
      const times = Array.from({ length: minutes + 1 }, (_, minute) => (20 - minute) * 60)
      return times.every((at) => evaluate(rule.expr, series, at).length > 0)
    })
    .map(({ alert }) => alert)
}
