import type { Style } from "../Style.ts"
import { counted, type Finding, type Verdict } from "./Finding.ts"

const words: Readonly<Record<Verdict, string>> = {
  ok: "ok",
  warning: "warning",
  problem: "problem",
  skipped: "-"
}

/** The width of the verdict column. */
const NAME = 9
const SAYS = 25

const colorOf = ({ green, yellow, red, dim }: Style): Readonly<Record<Verdict, (text: string) => string>> => ({
  ok: green,
  warning: yellow,
  problem: red,
  skipped: dim
})

/** Formats a finding as one line, followed by how to fix it. */
export const lineOf = (check: string, { verdict, says, todo }: Finding, style: Style): string => {
  const line = `${colorOf(style)[verdict](words[verdict].padEnd(NAME))}${check.padEnd(SAYS - NAME)}${says}\n`
  return todo === undefined ? line : `${line}${" ".repeat(SAYS)}→ ${todo}\n`
}

/** Counts the findings by verdict. */
export const summaryOf = (found: ReadonlyArray<Finding>): string => {
  const countOf = (verdict: Verdict) => found.filter((one) => one.verdict === verdict).length
  const skipped = countOf("skipped")
  return `${countOf("ok")} ok, ${counted(countOf("warning"), "warning")}, ${counted(countOf("problem"), "problem")}${skipped === 0 ? "" : `, ${skipped} not checked`}`
}
