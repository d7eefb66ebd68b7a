import { whole } from "../../test/harness/Figures.ts"
import type { CodeExchanges } from "../scenarios/CodeExchanges.ts"
import { MAX_GROWTH } from "./DeliveryRows.ts"
import { verdict } from "./Table.ts"

export const exchangeRows = ({ heap, growth, seconds, wrong }: CodeExchanges): ReadonlyArray<ReadonlyArray<string>> => [
  ...heap.map(({ exchanges, mebibytes }) => [`live heap after ${whole(exchanges)}, MiB`, mebibytes.toFixed(1), ""]),
  ["last / first", growth.toFixed(2), verdict(MAX_GROWTH, growth)],
  ["seconds in total", seconds.toFixed(0), ""],
  ["wrong responses", String(wrong), ""]
]
