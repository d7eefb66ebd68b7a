import type { CodeExchanges } from "../scenarios/CodeExchanges.ts"
import { MOST_GROWTH } from "./DeliveryRows.ts"
import { verdict, whole } from "./Table.ts"

export const exchangeRows = ({ heap, growth, seconds, wrong }: CodeExchanges): ReadonlyArray<ReadonlyArray<string>> => [
  ...heap.map(({ exchanges, mebibytes }) => [
    `held on to after ${whole(exchanges)}, collected, MiB`,
    mebibytes.toFixed(1),
    ""
  ]),
  ["the last / the first", growth.toFixed(2), verdict(MOST_GROWTH, growth)],
  ["seconds for all", seconds.toFixed(0), ""],
  ["wrong answers", String(wrong), ""]
]
