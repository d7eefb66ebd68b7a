import type { LoginThroughput } from "../scenarios/LoginThroughput.ts"
import type { RefusalTimes } from "../scenarios/RefusalTimes.ts"
import { pair, verdict, whole } from "./Table.ts"

/** Targets: the share of the hash-only rate that logins reach, and the p99 of reads meanwhile in milliseconds. */
const LEAST_SHARE = 0.6
const LONGEST_READ = 50

export const loginRows = (rush: LoginThroughput): ReadonlyArray<ReadonlyArray<string>> => {
  const share = rush.loginsPerSecond / rush.hashesPerSecond
  return [
    ["logins per second", rush.loginsPerSecond.toFixed(0), ""],
    ["hashes per second, nothing else", rush.hashesPerSecond.toFixed(0), ""],
    ["share", share.toFixed(2), `${share >= LEAST_SHARE ? "met" : "missed"}: ≥ ${LEAST_SHARE}`],
    ["told to come back (503)", whole(rush.shed), ""],
    [
      "get session meanwhile, p50 / p99, ms",
      pair(rush.readP50, rush.readP99, 1),
      `${rush.readP99 <= LONGEST_READ ? "met" : "missed"}: p99 ≤ ${LONGEST_READ}`
    ],
    ["resident memory before / peak, MiB", pair(rush.memoryBefore, rush.memoryPeak, 0), ""],
    ...Object.entries(rush.refusals).map(([kind, millis]) => [`refusal, ${kind}, median ms`, millis.toFixed(1), ""]),
    ["wrong answers", String(rush.wrong), ""]
  ]
}

/** Target: the longest median duration of a refusal divided by the shortest. */
const MOST_TOLD = 1.1

export const refusalRows = ({ kinds, ratio, wrong }: RefusalTimes): ReadonlyArray<ReadonlyArray<string>> => [
  ...kinds.map(({ kind, p50, p90 }) => [`${kind}, median / p90, ms`, pair(p50, p90, 1), ""]),
  ["longest median / shortest", ratio.toFixed(2), verdict(MOST_TOLD, ratio)],
  ["wrong answers, or answers that differ", String(wrong), ""]
]
