import { whole } from "../../test/harness/Figures.ts"
import type { DeliveryIsolation } from "../scenarios/DeliveryIsolation.ts"
import type { DeliveryThroughput } from "../scenarios/DeliveryThroughput.ts"
import { pair, spread, verdict } from "./Table.ts"

/**
 * The targets: deliveries per second, growth of the live heap during the second half of the deliveries, and growth of
 * the p99 while another receiver is silent.
 */
const MIN_DELIVERIES = 500
export const MAX_GROWTH = 1.1
const MAX_DELAY = 1.1

export const deliveryRows = (
  throughputs: ReadonlyArray<DeliveryThroughput>,
  isolations: ReadonlyArray<DeliveryIsolation>
): ReadonlyArray<ReadonlyArray<string>> => [
  ...throughputs.flatMap(
    ({ deliveries, perSecond, cpuMicros, corePercent, heap, memory: { first, half, last, peak }, wrong }) => [
      [
        `deliveries per second, one process, ${whole(deliveries)} due`,
        whole(perSecond),
        `${perSecond >= MIN_DELIVERIES ? "met" : "missed"}: ≥ ${MIN_DELIVERIES}`
      ],
      ["CPU per delivery, µs; of the process's core, %", `${whole(cpuMicros)}; ${whole(corePercent)}`, ""],
      [
        "live heap after half / after the last, MiB",
        pair(heap.half, heap.last, 1),
        `${verdict(MAX_GROWTH, heap.last / heap.half)} × half`
      ],
      ["resident memory at the first / half / last delivery, peak, MiB", [first, half, last, peak].join(" / "), ""],
      ["lost, duplicate or not completed", String(wrong), ""]
    ]
  ),
  ...isolations.flatMap(({ due, samples, alone, beside, ratio, ratios, wrong }) => [
    [`from record to arrival, p50 / p99, ms (${whole(samples)} events)`, pair(alone.p50, alone.p99, 1), ""],
    [`the same beside a dead destination with ${whole(due)} due`, pair(beside.p50, beside.p99, 1), ""],
    ["p99 beside it / without", ratio.toFixed(2), verdict(MAX_DELAY, ratio)],
    ["the same by rounds", spread(ratios, 2), ""],
    ["wrong responses", String(wrong), ""]
  ])
]
