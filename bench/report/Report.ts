import type { Measured, Spread } from "../load/PairedRuns.ts"
import type { CodeExchanges } from "../scenarios/CodeExchanges.ts"
import type { Isolation } from "../scenarios/DeliveryIsolation.ts"
import type { Throughput } from "../scenarios/DeliveryThroughput.ts"
import type { Rush } from "../scenarios/LoginThroughput.ts"
import type { Crowd } from "../scenarios/Overload.ts"
import type { Clearing, Expiry } from "../scenarios/RealmDeletion.ts"
import type { LoginTimes } from "../scenarios/RefusalTimes.ts"
import type { Slowed } from "../scenarios/SlowTemplates.ts"
import type { FirstAnswers } from "../scenarios/StartupTimes.ts"

/** Resident memory in MiB. */
export interface MemoryRow {
  readonly name: string
  readonly started: number
  readonly loaded: number
  readonly peak: number
}

/** Everything a run found out: what the JSON holds. */
export interface Results {
  readonly at: string
  readonly quick: boolean
  readonly machine: {
    readonly cpu: string
    readonly cores: number
    readonly node: string
    readonly postgres: string
    readonly placement: string
  }
  readonly pace: { readonly rounds: number; readonly connections: number; readonly windowMillis: number }
  readonly rows: ReadonlyArray<Measured>
  readonly memory: ReadonlyArray<MemoryRow>
  /** What limits cost: `floor` is the service without them. */
  readonly limits: ReadonlyArray<Measured>
  readonly logins: ReadonlyArray<Rush>
  readonly crowds: ReadonlyArray<Crowd>
  readonly loginTimes: ReadonlyArray<LoginTimes>
  readonly codeExchanges: ReadonlyArray<CodeExchanges>
  readonly throughputs: ReadonlyArray<Throughput>
  readonly isolations: ReadonlyArray<Isolation>
  readonly clearings: ReadonlyArray<Clearing>
  readonly slowed: ReadonlyArray<Slowed>
  readonly expiries: ReadonlyArray<Expiry>
  readonly firstAnswers: ReadonlyArray<FirstAnswers>
}

/** A table in Markdown. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map((_, column) => (column === 0 ? "---" : "---:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")

const spread = ({ median, least, most }: Spread, digits: number): string =>
  `${median.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`

/** A number without its fraction, as people read it. */
export const whole = (n: number): string => Math.round(n).toLocaleString("en")

const verdict = (target: number | undefined, median: number): string =>
  target === undefined ? "" : `${median <= target ? "met" : "missed"}: ≤ ${target}`

const pair = (service: number, floor: number, digits: number) => `${service.toFixed(digits)} / ${floor.toFixed(digits)}`

/** The least share of the hash-only rate that logins must reach, and the longest p99 of a read meanwhile, in ms. */
const LEAST_SHARE = 0.6
const LONGEST_READ = 50

const rushRows = (rush: Rush): ReadonlyArray<ReadonlyArray<string>> => {
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

/** How much longer, by the medians, one refusal of hosted login may take than another. */
const MOST_TOLD = 1.1

const refusalRows = ({ kinds, ratio, wrong }: LoginTimes): ReadonlyArray<ReadonlyArray<string>> => [
  ...kinds.map(({ kind, p50, p90 }) => [`${kind}, median / p90, ms`, pair(p50, p90, 1), ""]),
  ["longest median / shortest", ratio.toFixed(2), verdict(MOST_TOLD, ratio)],
  ["wrong answers, or answers that differ", String(wrong), ""]
]

/** The least deliveries per second; by how much memory may still grow after half of them; and how far a dead neighbour may lengthen the p99. */
const LEAST_DELIVERIES = 500
const MOST_GROWTH = 1.1
const MOST_DELAY = 1.1

const deliveryRows = (
  throughputs: ReadonlyArray<Throughput>,
  isolations: ReadonlyArray<Isolation>
): ReadonlyArray<ReadonlyArray<string>> => [
  ...throughputs.flatMap(
    ({ deliveries, perSecond, cpuMicros, corePercent, heap, memory: { first, half, last, peak }, wrong }) => [
      [
        `deliveries per second, one process, ${whole(deliveries)} due`,
        whole(perSecond),
        `${perSecond >= LEAST_DELIVERIES ? "met" : "missed"}: ≥ ${LEAST_DELIVERIES}`
      ],
      ["CPU per delivery, µs; of the process's core, %", `${whole(cpuMicros)}; ${whole(corePercent)}`, ""],
      [
        "held on to after a collection, at half / after the last, MiB",
        pair(heap.half, heap.last, 1),
        `${verdict(MOST_GROWTH, heap.last / heap.half)} × half`
      ],
      ["resident memory at the first / half / last delivery, peak, MiB", [first, half, last, peak].join(" / "), ""],
      ["lost, made twice, or not completed", String(wrong), ""]
    ]
  ),
  ...isolations.flatMap(({ due, samples, alone, beside, ratio, ratios, wrong }) => [
    [`from record to arrival, p50 / p99, ms (${whole(samples)} events)`, pair(alone.p50, alone.p99, 1), ""],
    [`the same beside a dead destination with ${whole(due)} due`, pair(beside.p50, beside.p99, 1), ""],
    ["p99 beside it / without", ratio.toFixed(2), verdict(MOST_DELAY, ratio)],
    ["the same by rounds", spread(ratios, 2), ""],
    ["wrong answers", String(wrong), ""]
  ])
]

/** The most that reads may be delayed by mails of the worst template, as a multiple of their p99 without. */
const MOST_SLOWED = 1.5

const templateRows = (slowed: ReadonlyArray<Slowed>): ReadonlyArray<ReadonlyArray<string>> =>
  slowed.flatMap(({ shape, millis, realms, mails, core, resident, reads, wrong }) => [
    ["the worst template that is stored; one mail of it, ms", `${shape.replaceAll("|", "\\|")}; ${whole(millis)}`, ""],
    [
      `mails made by the hooks of ${realms} realms; core used without / with, %`,
      `${mails}; ${pair(core.without, core.beside, 0)}`,
      ""
    ],
    ...reads.flatMap(({ what, without, beside, ratio, ratios }) => [
      [`${what}: p50 without / beside, ms`, pair(without.p50, beside.p50, 2), ""],
      [`${what}: p99 without / beside, ms`, pair(without.p99, beside.p99, 2), ""],
      [
        `${what}: p99 beside / without; by rounds`,
        `${ratio.toFixed(2)}; ${spread(ratios, 2)}`,
        verdict(MOST_SLOWED, ratio)
      ]
    ]),
    ["resident memory before, peak, MiB", [resident.before, resident.peak].join(" / "), ""],
    ["wrong answers", String(wrong), ""]
  ])

const clearingRows = (
  clearings: ReadonlyArray<Clearing>,
  expiries: ReadonlyArray<Expiry>
): ReadonlyArray<ReadonlyArray<string>> => [
  ...clearings.flatMap(({ users, rows, millisUntilGone, seconds, sparedRows, wrong }) => [
    [`realm of ${whole(users)} users deleted: until 404, ms`, millisUntilGone.toFixed(0), ""],
    [`until its ${whole(rows)} rows are cleared, with a SIGKILL in the middle, s`, seconds.toFixed(1), ""],
    ["rows per second", whole(rows / seconds), ""],
    [`left of it, or changed among ${whole(sparedRows)} rows of another realm`, String(wrong), ""]
  ]),
  ...expiries.flatMap(({ invitations, secondsFromDue, secondsAtWork, wrong }) => [
    [
      `${whole(invitations)} invitations due at once, three processes: until the last is gone, s`,
      secondsFromDue.toFixed(1),
      ""
    ],
    [
      "from the first to the last, s; per second",
      `${secondsAtWork.toFixed(1)}; ${whole(invitations / secondsAtWork)}`,
      ""
    ],
    ["not expired exactly once", wrong === 0 ? "none" : "some", ""]
  ])
]

const exchangeRows = ({ heap, growth, seconds, wrong }: CodeExchanges): ReadonlyArray<ReadonlyArray<string>> => [
  ...heap.map(({ exchanges, mebibytes }) => [
    `held on to after ${whole(exchanges)}, collected, MiB`,
    mebibytes.toFixed(1),
    ""
  ]),
  ["the last / the first", growth.toFixed(2), verdict(MOST_GROWTH, growth)],
  ["seconds for all", seconds.toFixed(0), ""],
  ["wrong answers", String(wrong), ""]
]

/** The results as Markdown. */
export const markdown = (results: Results): string => {
  const { at, quick, machine, pace, rows, memory, logins, firstAnswers } = results
  const parts = [
    `Measured ${at}${quick ? " with --quick: a first impression, no more" : ""}.`,
    `${machine.cpu}, ${machine.cores} cores; Node ${machine.node}; PostgreSQL ${machine.postgres}; ` +
      `${machine.placement}. ${pace.connections} connections, ${pace.rounds} rounds of ` +
      `${pace.windowMillis / 1_000} s; the median, and the least and most of the rounds. Pairs: service / floor.`
  ]
  if (rows.length > 0) {
    parts.push(
      table(
        [
          "",
          "CPU per request, × floor",
          "target",
          "requests per CPU-second, × floor",
          "CPU per request, µs",
          "requests per CPU-second",
          "requests per second",
          "server's core, %",
          "p50, ms",
          "p99, ms",
          "wrong answers"
        ],
        rows.map(({ title, target, cpuRatio, perCpuSecondRatio, service, floor, wrong }) => [
          title,
          spread(cpuRatio, 2),
          verdict(target, cpuRatio.median),
          spread(perCpuSecondRatio, 2),
          pair(service.cpuMicros, floor.cpuMicros, 0),
          `${whole(service.perCpuSecond)} / ${whole(floor.perCpuSecond)}`,
          `${whole(service.throughput)} / ${whole(floor.throughput)}`,
          pair(service.corePercent, floor.corePercent, 0),
          pair(service.p50, floor.p50, 1),
          pair(service.p99, floor.p99, 1),
          String(wrong)
        ])
      )
    )
  }
  if (memory.length > 0) {
    parts.push(
      table(
        ["resident memory, MiB", "started", "after the load", "peak"],
        memory.map(({ name, started, loaded, peak }) => [name, ...[started, loaded, peak].map(String)])
      )
    )
  }
  if (results.limits.length > 0) {
    parts.push(
      table(
        ["limits on / off", "CPU per request, × off", "target", "CPU per request, µs", "p99, ms", "wrong answers"],
        results.limits.map(({ title, target, cpuRatio, service, floor, wrong }) => [
          title,
          spread(cpuRatio, 3),
          verdict(target, cpuRatio.median),
          pair(service.cpuMicros, floor.cpuMicros, 0),
          pair(service.p99, floor.p99, 1),
          String(wrong)
        ])
      )
    )
  }
  for (const rush of logins) {
    parts.push(table([`logins on ${rush.connections} connections at once`, "", "target"], rushRows(rush)))
  }
  for (const { title, rows, wrong } of results.crowds) {
    parts.push(table([title, "", "target"], [...rows, ["wrong answers", String(wrong), ""]]))
  }
  for (const times of results.loginTimes) {
    parts.push(table([`refusals of hosted login, ${times.samples} of each`, "", "target"], refusalRows(times)))
  }
  for (const exchanges of results.codeExchanges) {
    parts.push(table(["code exchanges with scope openid", "", "target"], exchangeRows(exchanges)))
  }
  const delivered = deliveryRows(results.throughputs, results.isolations)
  if (delivered.length > 0) parts.push(table(["deliveries", "", "target"], delivered))
  const slowed = templateRows(results.slowed)
  if (slowed.length > 0) parts.push(table(["templates", "", "target"], slowed))
  const cleared = clearingRows(results.clearings, results.expiries)
  if (cleared.length > 0) parts.push(table(["clearing and expiry", "", "target"], cleared))
  if (firstAnswers.length > 0) {
    parts.push(
      table(
        ["from start to first 200, ms", "/healthz", "authenticated GET", "target"],
        firstAnswers.map(({ title, target, alive, authenticated }) => [
          title,
          spread(alive, 0),
          spread(authenticated, 0),
          verdict(target, authenticated.median)
        ])
      )
    )
  }
  return parts.join("\n\n")
}
