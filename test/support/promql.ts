/** The samples of one series, as seconds and values, oldest first. */
export interface Series {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly samples: ReadonlyArray<readonly [at: number, value: number]>
}

/** A value with its labels, the result of an expression at one time. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

type Result = number | ReadonlyArray<Sample>

/** The maximum age of a sample that still counts, in seconds. */
const STALE = 300

const keyOf = (labels: Readonly<Record<string, string>>, names: ReadonlyArray<string>): string =>
  JSON.stringify(names.map((name) => labels[name] ?? ""))

const tokensOf = (text: string): Array<string> =>
  text.match(/"[^"]*"|=~|==|[<>]=?|\d+(?:\.\d+)?[smhd]?|[a-zA-Z_:][\w:]*|[(){}[\],/=]/g) ?? []

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

const samplesIn = (result: Result): ReadonlyArray<Sample> => {
  if (typeof result === "number") throw new Error("A vector was expected.")
  return result
}

const aggregations: Readonly<Record<string, (values: ReadonlyArray<number>) => number>> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values)
}

const comparisons: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  "==": (one, other) => one === other,
  ">": (one, other) => one > other,
  "<": (one, other) => one < other
}

/** The increase of a counter over a range, extrapolated as Prometheus does for samples that reach to both ends. */
const growth = (samples: ReadonlyArray<readonly [number, number]>): number => {
  let sum = 0
  for (const [index, [, value]] of samples.entries()) {
    const before = samples[index - 1]?.[1]
    if (before !== undefined) sum += value >= before ? value - before : value
  }
  return sum
}

/** A quantile of a classic histogram, from the cumulative counts of its buckets. */
const quantileOf = (quantile: number, buckets: ReadonlyArray<readonly [bound: number, count: number]>): number => {
  const sorted = buckets.toSorted(([one], [other]) => one - other)
  const rank = quantile * (sorted.at(-1)?.[1] ?? 0)
  const index = sorted.findIndex(([, count]) => count >= rank)
  const [bound = Number.NaN, count = 0] = sorted[index] ?? []
  const [lower, below] = index <= 0 ? [0, 0] : (sorted[index - 1] ?? [0, 0])
  return bound === Number.POSITIVE_INFINITY ? lower : lower + ((bound - lower) * (rank - below)) / (count - below)
}

/**
 * Evaluates an expression at a time in seconds. Supports the part of PromQL that the alerts use: selectors with `=` and `=~`, `rate`,
 * `increase`, `abs`, `sum`, `min` and `max` with `by`, `histogram_quantile`, `/`, `and`, and comparisons with a number.
 */
export const evaluate = (expression: string, all: ReadonlyArray<Series>, at: number): ReadonlyArray<Sample> => {
  const tokens = tokensOf(expression)
  const next = () => tokens.shift() ?? ""
  const take = (wanted: string) => {
    const found = next()
    if (found !== wanted) throw new Error(`${wanted} was expected in place of ${found}: ${expression}`)
  }
  const list = (end: string): Array<string> => {
    const items: Array<string> = []
    while (tokens[0] !== end) {
      if (tokens[0] === ",") next()
      items.push(next())
    }
    take(end)
    return items
  }

  const selected = (name: string) => {
    const conditions: Array<(labels: Readonly<Record<string, string>>) => boolean> = []
    if (tokens[0] === "{") {
      take("{")
      const items = list("}")
      for (let n = 0; n + 2 < items.length; n += 3) {
        const [label = "", operator, quoted = ""] = items.slice(n, n + 3)
        const wanted = quoted.slice(1, -1)
        const form = new RegExp(`^(?:${wanted})$`)
        conditions.push((labels) =>
          operator === "=~" ? form.test(labels[label] ?? "") : (labels[label] ?? "") === wanted
        )
      }
    }
    const found = all.filter((one) => one.name === name && conditions.every((holds) => holds(one.labels)))
    if (tokens[0] !== "[") return { found, range: undefined }
    take("[")
    const range = next()
    take("]")
    return { found, range: Number.parseFloat(range) * (units[range.at(-1) ?? ""] ?? Number.NaN) }
  }

  const call = (name: string): Result => {
    if (name === "rate" || name === "increase") {
      take("(")
      const { found, range = Number.NaN } = selected(next())
      take(")")
      return found.flatMap(({ labels, samples }) => {
        const within = samples.filter(([time]) => time > at - range && time <= at)
        const [first, last] = [within[0], within.at(-1)]
        if (first === undefined || last === undefined || first === last) return []
        const perSecond = growth(within) / (last[0] - first[0])
        return [{ labels, value: name === "rate" ? perSecond : perSecond * range }]
      })
    }
    if (name === "histogram_quantile") {
      take("(")
      const quantile = Number(next())
      take(",")
      const buckets = samplesIn(parse())
      take(")")
      const bounds = buckets.map(
        ({ labels, value }) =>
          [labels["le"] === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels["le"]), value] as const
      )
      return bounds.length === 0 ? [] : [{ labels: {}, value: quantileOf(quantile, bounds) }]
    }
    if (name === "abs") {
      take("(")
      const values = samplesIn(parse())
      take(")")
      return values.map(({ labels, value }) => ({ labels, value: Math.abs(value) }))
    }
    const by = tokens[0] === "by" ? (next(), take("("), list(")")) : []
    take("(")
    const values = samplesIn(parse())
    take(")")
    const groups = new Map<string, Array<Sample>>()
    for (const one of values) groups.set(keyOf(one.labels, by), [...(groups.get(keyOf(one.labels, by)) ?? []), one])
    return [...groups.values()].map((group) => ({
      labels: Object.fromEntries(by.map((label) => [label, group[0]?.labels[label] ?? ""])),
      value: aggregations[name]?.(group.map(({ value }) => value)) ?? Number.NaN
    }))
  }

  const term = (): Result => {
    const token = next()
    if (/^\d/.test(token)) return Number(token)
    if (token in aggregations || ["rate", "increase", "abs", "histogram_quantile"].includes(token)) return call(token)
    return selected(token).found.flatMap(({ labels, samples }) => {
      const last = samples.filter(([time]) => time <= at && time > at - STALE).at(-1)
      return last === undefined ? [] : [{ labels, value: last[1] }]
    })
  }

  const quotient = (): Result => {
    const one = term()
    if (tokens[0] !== "/") return one
    next()
    const other = samplesIn(term())
    return samplesIn(one).flatMap(({ labels, value }) => {
      const match = other.find((each) => keyOf(each.labels, []) === keyOf(labels, []))
      return match === undefined ? [] : [{ labels, value: value / match.value }]
    })
  }

  const comparison = (): Result => {
    const one = quotient()
    const compare = comparisons[tokens[0] ?? ""]
    if (compare === undefined) return one
    next()
    const bound = term()
    if (typeof bound !== "number") throw new Error("A comparison is with a number.")
    return samplesIn(one).filter(({ value }) => compare(value, bound))
  }

  const parse = (): Result => {
    let result = comparison()
    while (tokens[0] === "and") {
      next()
      const other = samplesIn(comparison())
      result = other.length === 0 ? [] : result
    }
    return result
  }

  const result = parse()
  if (tokens.length > 0) throw new Error(`${tokens.join(" ")} was not understood: ${expression}`)
  return samplesIn(result)
}

const seriesLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/

/** The series in a scrape, each with the time of the scrape. */
export const readScrape = (text: string, at: number): ReadonlyArray<Series> =>
  text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = seriesLine.exec(line) ?? []
    if (name === undefined) return []
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = "", text = ""]) => [label, text])
    return [{ name, labels: Object.fromEntries(pairs), samples: [[at, Number(value)] as const] }]
  })

/**
 * The series that Prometheus would have if every minute repeated the changes between two scrapes. Counters grow by the
 * same amount, and gauges keep their values. Series missing in the first scrape start at 0.
 */
export const extrapolated = (before: string, after: string, minutes: number): ReadonlyArray<Series> => {
  const counters = new Set(
    [...after.matchAll(/^# TYPE (\S+) (counter|histogram)$/gm)].flatMap(([, name = "", type]) =>
      type === "counter" ? [name] : [`${name}_bucket`, `${name}_sum`, `${name}_count`]
    )
  )
  const first = new Map(
    readScrape(before, 0).map((one) => [JSON.stringify([one.name, one.labels]), one.samples[0]?.[1]])
  )
  return readScrape(after, 0).map(({ name, labels, samples }) => {
    const last = samples[0]?.[1] ?? Number.NaN
    const began = first.get(JSON.stringify([name, labels])) ?? 0
    const step = counters.has(name) ? last - began : 0
    const valueAt = (minute: number) => (counters.has(name) ? began + step * minute : last)
    return {
      name,
      labels,
      samples: Array.from({ length: minutes + 1 }, (_, minute) => [minute * 60, valueAt(minute)] as const)
    }
  })
}
