import { parseArgs } from "node:util"
import {
  addNode,
  byRemainder,
  bySize,
  type Contents,
  imbalance,
  inTurn,
  movedByRemainder,
  type Placement,
  shardsOf,
  sumOf
} from "./Placement.ts"
import { drawRealms } from "./Realms.ts"

// Simulates how a large installation's realms are placed on the nodes of a database that is sharded by realm.

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    users: { type: "string", default: "100000000" },
    realms: { type: "string", default: "100000" },
    nodes: { type: "string", default: "4,8,16,32" }
  }
})
const [seed, users, count] = [Number(options.seed), Number(options.users), Number(options.realms)]
const realms = drawRealms({ users, realms: count, seed })
const total = realms.reduce((sum, realm) => sum + realm.users, 0)
const load = realms.reduce((sum, realm) => sum + realm.load, 0)
const byUsers = ({ users: held }: Contents) => held

/** A realm with more than this share of a node's users gets its own shard. */
const ISOLATED = 0.02

const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(1)} %`
const ratio = (number: number) => number.toFixed(2)
const totalsOf = (placed: Placement) => placed.map(sumOf)

console.log(`Seed ${seed}: ${total.toLocaleString("en")} users in ${count.toLocaleString("en")} realms.`)
const parts = [1, 10, 100, 1_000].map((n) =>
  percent(
    realms.slice(0, n).reduce((sum, realm) => sum + realm.users, 0),
    total
  )
)
console.log(
  `The largest realm has ${parts[0]} of them, the largest 10 ${parts[1]}, 100 ${parts[2]}, 1,000 ${parts[3]};`
)
console.log(
  `half of all realms have at most ${realms[Math.floor(count / 2)]?.users} users. ${Math.round(load).toLocaleString("en")} requests a second at the peak.\n`
)
console.log(
  "| nodes | placement | shards | users, max / mean | load, max / mean | one more node: moved | users afterwards, max / mean |"
)
console.log("|---:|---|---:|---:|---:|---:|---:|")

const row = (...cells: ReadonlyArray<string | number>) => console.log(`| ${cells.join(" | ")} |`)

for (const nodes of options.nodes.split(",").map(Number)) {
  const remainder = byRemainder(realms, nodes)
  row(
    nodes,
    "remainder of the hash",
    nodes,
    ratio(imbalance(remainder.map(byUsers))),
    ratio(imbalance(remainder.map((held) => held.load))),
    percent(movedByRemainder(realms, nodes), total),
    ratio(imbalance(byRemainder(realms, nodes + 1).map(byUsers)))
  )
  const limit = (total / nodes) * ISOLATED
  const floor = Math.max(1, ((realms[0]?.users ?? 0) / total) * nodes)
  row(nodes, "lower bound: the largest realm on a node", "", ratio(floor), "", "", "")
  const [many, isolated] = [shardsOf(realms, 128), shardsOf(realms, 128, limit)]
  const placements: ReadonlyArray<readonly [string, ReadonlyArray<Contents>, Placement]> = [
    ["32 shards, in turn", shardsOf(realms, 32), inTurn(shardsOf(realms, 32), nodes)],
    ["128 shards, in turn", many, inTurn(many, nodes)],
    ["128 shards, by size", many, bySize(many, nodes, byUsers)],
    [`the same, with separate shards for ${isolated.length - 128} realms`, isolated, bySize(isolated, nodes, byUsers)]
  ]
  for (const [name, shards, placed] of placements) {
    const totals = totalsOf(placed)
    const more = addNode(placed, byUsers)
    row(
      nodes,
      name,
      shards.length,
      ratio(imbalance(totals.map(byUsers))),
      ratio(imbalance(totals.map((held) => held.load))),
      `${percent(more.moved.users, total)} in ${more.shards} shards`,
      ratio(imbalance(totalsOf(more.placed).map(byUsers)))
    )
  }
}
