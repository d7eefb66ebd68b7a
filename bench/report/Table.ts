import type { Spread } from "../load/Rounds.ts"

/** The median, and the minimum and maximum in brackets. */
export const spread = ({ median, min: least, max: most }: Spread, digits: number): string =>
  `${median.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`

/** Describes a target, and whether the median meets it. */
export const verdict = (target: number | undefined, median: number): string =>
  target === undefined ? "" : `${median <= target ? "met" : "missed"}: ≤ ${target}`

/** Two figures, the service's first. */
export const pair = (service: number, baseline: number, digits: number) =>
  `${service.toFixed(digits)} / ${baseline.toFixed(digits)}`
