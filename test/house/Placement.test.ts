import { expect, test } from "vitest"
import {
  addNode,
  byRemainder,
  bySize,
  imbalance,
  inTurn,
  movedByRemainder,
  shardsOf,
  sumOf
} from "../../bench/placement/Placement.ts"
import { drawRealms } from "../../bench/placement/Realms.ts"

const population = { users: 1_000_000, realms: 5_000, seed: 1 }
const realms = drawRealms(population)
const users = ({ users: held }: { readonly users: number }) => held
const total = realms.reduce((sum, realm) => sum + realm.users, 0)

test("a seed always generates the same realms, with a heavy tail", () => {
  expect(drawRealms(population)).toEqual(realms)
  expect(drawRealms({ ...population, seed: 2 })).not.toEqual(realms)
  expect(Math.abs(total - population.users)).toBeLessThan(realms.length)
  const largest = (realms[0]?.users ?? 0) / total
  expect([largest > 0.05, largest < 0.2]).toEqual([true, true])
})

test("every placement of realms contains every user", () => {
  const [shared, isolated] = [shardsOf(realms, 32), shardsOf(realms, 32, 5_000)]
  for (const held of [byRemainder(realms, 7), shared, isolated]) {
    expect(sumOf(held)).toMatchObject({ users: total, realms: realms.length })
  }
  expect(isolated.length - 32).toBe(realms.filter((realm) => realm.users > 5_000).length)
  for (const placed of [inTurn(shared, 5), bySize(shared, 5, users)]) expect(sumOf(placed.flat()).users).toBe(total)
})

test("the better strategies balance the load better", () => {
  const balance = (shards: Parameters<typeof bySize>[0]) => imbalance(bySize(shards, 4, users).map(sumOf).map(users))
  const turns = imbalance(inTurn(shardsOf(realms, 128), 4).map(sumOf).map(users))
  expect(imbalance([4, 4, 4])).toBe(1)
  expect(imbalance([6, 3, 3])).toBe(1.5)
  expect(balance(shardsOf(realms, 128))).toBeLessThan(turns)
})

test("a new node takes over whole shards, while placement by remainder moves almost everything", () => {
  const placed = bySize(shardsOf(realms, 128, 5_000), 4, users)
  const { moved, placed: then, shards } = addNode(placed, users)
  expect(then).toHaveLength(5)
  expect(then.flat()).toHaveLength(placed.flat().length)
  expect(shards).toBe(then.at(-1)?.length)
  expect(moved.users).toBe(users(sumOf(then.at(-1) ?? [])))
  expect(Math.abs(moved.users / total - 0.2)).toBeLessThan(0.02)
  expect(movedByRemainder(realms, 4) / total).toBeGreaterThan(0.7)
})
