/** Formats milliseconds as seconds. */
export const inSeconds = (millis: number): string => `${(millis / 1_000).toFixed(2)} s`

/** Returns the value at a quantile of numbers in any order, or 0 for an empty list. */
export const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Formats the median, the 99th percentile and the maximum of some times. */
export const spread = (millis: ReadonlyArray<number>): string =>
  [0.5, 0.99, 1].map((share) => inSeconds(quantile(millis, share))).join(", ")
