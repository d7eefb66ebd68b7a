import type { Realm } from "./Realms.ts"

/** The content of a node or a shard. */
export interface Contents {
  readonly users: number
  readonly load: number
  readonly realms: number
}

export const EMPTY_CONTENTS: Contents = { users: 0, load: 0, realms: 0 }

export const plus = (a: Contents, b: Contents): Contents => ({
  users: a.users + b.users,
  load: a.load + b.load,
  realms: a.realms + b.realms
})

const contentsOf = ({ users, load }: Realm): Contents => ({ users, load, realms: 1 })

/** Returns the maximum of some numbers divided by their mean. 1 is a perfect balance. */
export const imbalance = (numbers: ReadonlyArray<number>): number =>
  numbers.length === 0 ? 1 : Math.max(...numbers) / (numbers.reduce((sum, each) => sum + each, 0) / numbers.length)

/** Puts each realm on the node given by the remainder of its hash. */
export const byRemainder = (realms: ReadonlyArray<Realm>, nodes: number): ReadonlyArray<Contents> => {
  const totals = Array.from({ length: nodes }, () => EMPTY_CONTENTS)
  for (const realm of realms) {
    const at = realm.hash % nodes
    totals[at] = plus(totals[at] ?? EMPTY_CONTENTS, contentsOf(realm))
  }
  return totals
}

/**
 * Creates shards with equal ranges of hashes. They are followed by separate shards for realms with more than
 * `isolateAbove` users.
 */
export const shardsOf = (
  realms: ReadonlyArray<Realm>,
  count: number,
  isolateAbove = Number.POSITIVE_INFINITY
): ReadonlyArray<Contents> => {
  const shared = Array.from({ length: count }, () => EMPTY_CONTENTS)
  const own: Array<Contents> = []
  for (const realm of realms) {
    if (realm.users > isolateAbove) {
      own.push(contentsOf(realm))
      continue
    }
    const at = Math.floor((realm.hash / 2 ** 32) * count)
    shared[at] = plus(shared[at] ?? EMPTY_CONTENTS, contentsOf(realm))
  }
  return [...shared, ...own]
}

/** The quantity to balance. */
export type Measure = (contentsOf: Contents) => number

/** The shards of each node. */
export type Placement = ReadonlyArray<ReadonlyArray<Contents>>

/** Places shards on the nodes in turn, like an engine that doesn't know their sizes. */
export const inTurn = (shards: ReadonlyArray<Contents>, nodes: number): Placement =>
  Array.from({ length: nodes }, (_, node) => shards.filter((_shard, index) => index % nodes === node))

export const sumOf = (shards: ReadonlyArray<Contents>): Contents => shards.reduce(plus, EMPTY_CONTENTS)

/** The index of the smallest or, with -1, the largest number. */
const extreme = (numbers: ReadonlyArray<number>, sign: 1 | -1): number =>
  numbers.reduce((best, each, index) => (sign * each < sign * (numbers[best] ?? 0) ? index : best), 0)

/** Places the largest shards first, each on the node with the smallest load. */
export const bySize = (shards: ReadonlyArray<Contents>, nodes: number, measure: Measure): Placement => {
  const placed: Array<Array<Contents>> = Array.from({ length: nodes }, () => [])
  const totals = Array.from({ length: nodes }, () => 0)
  for (const shard of shards.toSorted((a, b) => measure(b) - measure(a))) {
    const at = extreme(totals, 1)
    placed[at]?.push(shard)
    totals[at] = (totals[at] ?? 0) + measure(shard)
  }
  return placed
}

/** The result of adding a node: the amount that was moved, and the new placement. */
export interface Move {
  readonly placed: Placement
  readonly moved: Contents
  readonly shards: number
}

/**
 * Adds an empty node. It repeatedly takes the largest shard that it has room for from the fullest node, until it has
 * its share or no node has more.
 */
export const addNode = (placed: Placement, measure: Measure): Move => {
  const nodes = [...placed.map((shards) => [...shards]), new Array<Contents>()]
  const share = measure(sumOf(placed.flat())) / nodes.length
  let [moved, count] = [EMPTY_CONTENTS, 0]
  while (true) {
    const room = share * 1.05 - measure(sumOf(nodes.at(-1) ?? []))
    const offers = nodes.slice(0, -1).flatMap((shards, from) => {
      const total = measure(sumOf(shards))
      const [best] = shards.filter((shard) => measure(shard) <= room).toSorted((a, b) => measure(b) - measure(a))
      return best === undefined || total <= share ? [] : [{ best, from, total }]
    })
    const [offer] = offers.toSorted((a, b) => b.total - a.total)
    if (offer === undefined) return { placed: nodes, moved, shards: count }
    nodes[offer.from] = (nodes[offer.from] ?? []).filter((shard) => shard !== offer.best)
    nodes.at(-1)?.push(offer.best)
    moved = plus(moved, offer.best)
    count += 1
  }
}

/** The number of users whose node changes if the number of nodes grows by one. */
export const movedByRemainder = (realms: ReadonlyArray<Realm>, nodes: number): number =>
  realms.reduce((sum, { hash, users }) => (hash % nodes === hash % (nodes + 1) ? sum : sum + users), 0)
