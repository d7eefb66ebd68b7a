import { whole } from "../../test/harness/Figures.ts"
import { beyondHash, type LoginCost } from "../scenarios/LoginCost.ts"
import type { LoginThroughput } from "../scenarios/LoginThroughput.ts"
import type { RefusalTimes } from "../scenarios/RefusalTimes.ts"
import { targetVerdict } from "./ResultTable.ts"
import { pair, verdict } from "./Table.ts"

/** The targets: logins as a share of the rate of hashing alone, and the p99 of concurrent reads in milliseconds. */
const MIN_SHARE = 0.6
const MAX_READ_MS = 50

/** The targets: CPU time per login besides the hash in milliseconds, and the share of updates that change no index. */
const MAX_BEYOND_HASH_MS = 1.5
const MIN_BUSY_SHARE = 0.95

/** A row with the cost of a login: in total and by thread, and the wake-ups of the main thread. */
const costRow = (what: string, cost: LoginCost, target: string): ReadonlyArray<string> => [
  `CPU per login beyond the hash, ${what}, ms (main thread + V8's); wake-ups`,
  `${beyondHash(cost).toFixed(2)} (${cost.main.toFixed(2)} + ${cost.other.toFixed(2)}); ${cost.wakeUps.toFixed(1)}`,
  target
]

export const loginRows = (rush: LoginThroughput): ReadonlyArray<ReadonlyArray<string>> => {
  const { alone, paced, unpaced, cost, plainCost, cheapCost, updates } = rush
  const storms = [
    ["with a read every 10 ms", paced],
    ["with a reader that never pauses", unpaced]
  ] as const
  return [
    costRow("four at once", cost, verdict(MAX_BEYOND_HASH_MS, beyondHash(cost))),
    costRow("plain server", plainCost, ""),
    costRow("service with nearly free hashes", cheapCost, ""),
    [
      "CPU of the hashing threads, ms: with logins / alone (user + system)",
      `${cost.hashing.toFixed(2)} / ${alone.userMillis.toFixed(2)} + ${alone.systemMillis.toFixed(2)}`,
      ""
    ],
    ...updates.map(({ name, updated, hot }) => [
      `updates of ${name}; HOT updates`,
      `${whole(updated)}; ${((hot / updated) * 100).toFixed(1)} %`,
      name === "users" ? targetVerdict(hot >= MIN_BUSY_SHARE * updated, `≥ ${MIN_BUSY_SHARE * 100} %`) : ""
    ]),
    ["hashes per second, alone", alone.perSecond.toFixed(0), ""],
    ...storms.flatMap(([how, storm]) => [
      [
        `logins per second, ${how}; share`,
        `${storm.loginsPerSecond.toFixed(0)}; ${(storm.loginsPerSecond / alone.perSecond).toFixed(2)}`,
        storm === paced ? targetVerdict(storm.loginsPerSecond >= MIN_SHARE * alone.perSecond, `≥ ${MIN_SHARE}`) : ""
      ],
      ["asked to retry (503)", whole(storm.shed), ""],
      ["server's core: hashing / everything else, %", pair(storm.hashingPercent, storm.otherPercent, 0), ""],
      [
        `${whole(storm.readsPerSecond)} reads per second, p50 / p99, ms`,
        pair(storm.readP50, storm.readP99, 1),
        targetVerdict(storm.readP99 <= MAX_READ_MS, `p99 ≤ ${MAX_READ_MS}`)
      ]
    ]),
    ["resident memory before / peak, MiB", pair(rush.memoryBefore, rush.memoryPeak, 0), ""],
    ...Object.entries(rush.refusals).map(([kind, millis]) => [
      `failed login, ${kind}, median ms`,
      millis.toFixed(1),
      ""
    ]),
    ["wrong responses", String(rush.wrong), ""]
  ]
}

/** The target: the ratio of the longest to the shortest median duration of failed logins. */
const MAX_TIME_RATIO = 1.1

export const refusalRows = ({ kinds, ratio, wrong }: RefusalTimes): ReadonlyArray<ReadonlyArray<string>> => [
  ...kinds.map(({ kind, p50, p90 }) => [`${kind}, median / p90, ms`, pair(p50, p90, 1), ""]),
  ["longest median / shortest", ratio.toFixed(2), verdict(MAX_TIME_RATIO, ratio)],
  ["wrong responses, or responses that differ", String(wrong), ""]
]
