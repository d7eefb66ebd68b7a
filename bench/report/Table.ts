import type { Spread } from "../load/Rounds.ts"

/** A Markdown table. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map((_, column) => (column === 0 ? "---" : "---:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")

/** The median, and the minimum and maximum in brackets. */
export const spread = ({ median, least, most }: Spread, digits: number): string =>
  `${median.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`

/** A rounded number with separators of thousands. */
export const whole = (n: number): string => Math.round(n).toLocaleString("en")

/** Whether the median meets a target, and the target. */
export const verdict = (target: number | undefined, median: number): string =>
  target === undefined ? "" : `${median <= target ? "met" : "missed"}: ≤ ${target}`

/** Two figures, the first of the service. */
export const pair = (service: number, baseline: number, digits: number) =>
  `${service.toFixed(digits)} / ${baseline.toFixed(digits)}`
