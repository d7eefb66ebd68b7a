/** A value at a time. */
export interface Point {
  readonly at: number
  readonly value: number
}

/**
 * The change of values over time. If the points are independent, the true slope is between the two bounds with 95 %
 * confidence.
 */
export interface Trend {
  /** The median of the values. */
  readonly level: number
  /** The growth of the value per unit of time, with its bounds. */
  readonly slope: number
  readonly least: number
  readonly most: number
}

/** The quantile of the normal distribution for a 95 % interval. */
const Z = 1.96

const median = (sorted: ReadonlyArray<number>): number => {
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

const ascending = (a: number, b: number): number => a - b

/** The Theil–Sen trend: the median of the slopes between all pairs of points. Single outliers don't affect it. */
export const trendOf = (points: ReadonlyArray<Point>): Trend => {
  const slopes = points
    .flatMap((one, n) => points.slice(n + 1).map((other) => (other.value - one.value) / (other.at - one.at)))
    .sort(ascending)
  const { length: n } = points
  const reach = Z * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18)
  const rank = (at: number) => slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(at)))] ?? Number.NaN
  return {
    level: median(points.map(({ value }) => value).sort(ascending)),
    slope: median(slopes),
    least: rank((slopes.length - reach) / 2 - 1),
    most: rank((slopes.length + reach) / 2)
  }
}
