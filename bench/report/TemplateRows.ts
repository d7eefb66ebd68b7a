import { whole } from "../../test/harness/Figures.ts"
import type { SlowTemplates } from "../scenarios/SlowTemplates.ts"
import { pair, spread, verdict } from "./Table.ts"

/** The target: the p99 of reads while emails are rendered, as a multiple of the p99 without emails. */
const MAX_SLOWDOWN = 1.5

export const templateRows = (slowTemplates: ReadonlyArray<SlowTemplates>): ReadonlyArray<ReadonlyArray<string>> =>
  slowTemplates.flatMap(({ shape, millis, realms, mails, core, resident, reads, wrong }) => [
    ["the slowest accepted template; one email with it, ms", `${shape.replaceAll("|", "\\|")}; ${whole(millis)}`, ""],
    [
      `emails sent by the hooks of ${realms} realms; core use without / with, %`,
      `${mails}; ${pair(core.without, core.beside, 0)}`,
      ""
    ],
    ...reads.flatMap(({ what, without, beside, ratio, ratios }) => [
      [`${what}: p50 without / beside, ms`, pair(without.p50, beside.p50, 2), ""],
      [`${what}: p99 without / beside, ms`, pair(without.p99, beside.p99, 2), ""],
      [
        `${what}: p99 beside / without; by rounds`,
        `${ratio.toFixed(2)}; ${spread(ratios, 2)}`,
        verdict(MAX_SLOWDOWN, ratio)
      ]
    ]),
    ["resident memory before, peak, MiB", [resident.before, resident.peak].join(" / "), ""],
    ["wrong responses", String(wrong), ""]
  ])
