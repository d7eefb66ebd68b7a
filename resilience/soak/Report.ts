import { whole } from "../../test/harness/Figures.ts"

import { type Trend, trendOf } from "./Trend.ts"

/** The measurements at a time, given in minutes since the start. */
export interface Sample {
  readonly at: number
  readonly live: number
  readonly resident: number
  readonly fibers: number
  readonly handles: number
  readonly files: number
  readonly connections: number
  readonly undelivered: number
}

/** The duration in the promise, in minutes. A shorter run is a trial, where growth is reported but not judged. */
export const PROMISED_MINUTES = 20

interface Series {
  readonly name: string
  readonly of: (sample: Sample) => number
  /** The allowed growth in the promised time, as a fraction of the level or as a count. */
  readonly allowed: (level: number) => number
  readonly show: (value: number) => string
}

const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(2)} MiB`

/** The tolerance for counts. Connections are opened and closed on demand. */
const COUNT_TOLERANCE = 8

const allSeries: ReadonlyArray<Series> = [
  { name: "live memory", of: ({ live }) => live, allowed: (level) => 0.01 * level, show: mebibytes },
  { name: "resident memory", of: ({ resident }) => resident, allowed: (level) => 0.05 * level, show: mebibytes },
  { name: "fibers", of: ({ fibers }) => fibers, allowed: () => COUNT_TOLERANCE, show: whole },
  { name: "handles", of: ({ handles }) => handles, allowed: () => COUNT_TOLERANCE, show: whole },
  { name: "open files", of: ({ files }) => files, allowed: () => COUNT_TOLERANCE, show: whole },
  {
    name: "connections to the database",
    of: ({ connections }) => connections,
    allowed: () => COUNT_TOLERANCE,
    show: whole
  },
  { name: "undelivered", of: ({ undelivered }) => undelivered, allowed: () => COUNT_TOLERANCE, show: whole }
]

const signed = (value: number, digits: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`

/** Formats the growth in the promised time with its bounds, in percent if there is a level, and as a number otherwise. */
const inWords = ({ level, slope, least, most }: Trend): string => {
  const rise = (of: number) => of * PROMISED_MINUTES
  if (level < 1_000) return `${signed(rise(slope), 1)} (${signed(rise(least), 1)} to ${signed(rise(most), 1)})`
  const percent = (of: number) => `${signed((100 * rise(of)) / level, 2)} %`
  return `${percent(slope)} (${percent(least)} to ${percent(most)})`
}

/** Returns why a series breaks the promise or can't be judged, or undefined if it is flat. */
const problemOf = ({ name, allowed }: Series, trend: Trend): string | undefined => {
  const most = allowed(trend.level) / PROMISED_MINUTES
  if (!(trend.slope > most)) return undefined
  if (trend.least > 0) return `Growth of ${name}: ${inWords(trend)} in ${PROMISED_MINUTES} minutes.`
  return `Too uncertain to judge growth of ${name}: ${inWords(trend)} in ${PROMISED_MINUTES} minutes.`
}

/** Returns a row for each series: its values at the start, in the middle and at the end, and its trend. */
export const judge = (samples: ReadonlyArray<Sample>) => {
  const judged = allSeries.map((series) => {
    const trend = trendOf(samples.map((sample) => ({ at: sample.at, value: series.of(sample) })))
    const at = (sample: Sample | undefined) => (sample === undefined ? "" : series.show(series.of(sample)))
    const row = [series.name, at(samples[0]), series.show(trend.level), at(samples.at(-1)), inWords(trend)]
    return { row, problem: problemOf(series, trend) }
  })
  return {
    rows: judged.map(({ row }) => row),
    problems: judged.flatMap(({ problem }) => problem ?? [])
  }
}
