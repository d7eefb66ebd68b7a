import type { Realm } from "./Realms.ts"

/** What a node, or a shard, holds. */
export interface Held {
  readonly users: number
  readonly load: number
  readonly realms: number
}

export const NOTHING: Held = { users: 0, load: 0, realms: 0 }

export const plus = (a: Held, b: Held): Held => ({
  users: a.users + b.users,
  load: a.load + b.load,
  realms: a.realms + b.realms
})

const held = ({ users, load }: Realm): Held => ({ users, load, realms: 1 })

/** The largest of some numbers as a multiple of their mean: 1 is a perfect balance. */
export const imbalance = (numbers: ReadonlyArray<number>): number =>
  numbers.length === 0 ? 1 : Math.max(...numbers) / (numbers.reduce((sum, each) => sum + each, 0) / numbers.length)

/** Each realm on the node that the remainder of its hash names. */
export const byRemainder = (realms: ReadonlyArray<Realm>, nodes: number): ReadonlyArray<Held> => {
  const totals = Array.from({ length: nodes }, () => NOTHING)
  for (const realm of realms) {
    const at = realm.hash % nodes
    totals[at] = plus(totals[at] ?? NOTHING, held(realm))
  }
  return totals
}

/**
 * Shards of equal ranges of hashes. Realms with more than `isolateAbove` users have a shard each, which comes after those.
 */
export const shardsOf = (
  realms: ReadonlyArray<Realm>,
  count: number,
  isolateAbove = Number.POSITIVE_INFINITY
): ReadonlyArray<Held> => {
  const shared = Array.from({ length: count }, () => NOTHING)
  const own: Array<Held> = []
  for (const realm of realms) {
    if (realm.users > isolateAbove) {
      own.push(held(realm))
      continue
    }
    const at = Math.floor((realm.hash / 2 ** 32) * count)
    shared[at] = plus(shared[at] ?? NOTHING, held(realm))
  }
  return [...shared, ...own]
}

/** What one place has more of than another. */
export type Measure = (held: Held) => number

/** For each node the shards on it. */
export type Placed = ReadonlyArray<ReadonlyArray<Held>>

/** Shards in turn on the nodes, as an engine does that knows nothing of their sizes. */
export const inTurn = (shards: ReadonlyArray<Held>, nodes: number): Placed =>
  Array.from({ length: nodes }, (_, node) => shards.filter((_shard, index) => index % nodes === node))

export const sumOf = (shards: ReadonlyArray<Held>): Held => shards.reduce(plus, NOTHING)

/** Where in a list the least, or with -1 the greatest, is. */
const extreme = (numbers: ReadonlyArray<number>, sign: 1 | -1): number =>
  numbers.reduce((best, each, index) => (sign * each < sign * (numbers[best] ?? 0) ? index : best), 0)

/** The largest shard first, each on the node that has least. */
export const bySize = (shards: ReadonlyArray<Held>, nodes: number, measure: Measure): Placed => {
  const placed: Array<Array<Held>> = Array.from({ length: nodes }, () => [])
  const totals = Array.from({ length: nodes }, () => 0)
  for (const shard of shards.toSorted((a, b) => measure(b) - measure(a))) {
    const at = extreme(totals, 1)
    placed[at]?.push(shard)
    totals[at] = (totals[at] ?? 0) + measure(shard)
  }
  return placed
}

/** What is moved when nodes change, and where everything is then. */
export interface Move {
  readonly placed: Placed
  readonly moved: Held
  readonly shards: number
}

/**
 * Adds an empty node. It takes the largest shard that it has room for from the fullest node that has one, until it has its share or
 * no node has more than that.
 */
export const addNode = (placed: Placed, measure: Measure): Move => {
  const nodes = [...placed.map((shards) => [...shards]), new Array<Held>()]
  const share = measure(sumOf(placed.flat())) / nodes.length
  let [moved, count] = [NOTHING, 0]
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

/** The users that change their node when remainders are of one more. */
export const movedByRemainder = (realms: ReadonlyArray<Realm>, nodes: number): number =>
  realms.reduce((sum, { hash, users }) => (hash % nodes === hash % (nodes + 1) ? sum : sum + users), 0)
