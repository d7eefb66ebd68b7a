import { Api } from "#testing/Api"
import { type Program, start, timeToFirstResponse } from "../../test/harness/Servers.ts"
import { get } from "../load/Cases.ts"
import type { Call } from "../load/Load.ts"
import { seedRealm } from "../load/Seed.ts"

/** The value at a quantile of numbers in any order. */
export const quantileOf = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Starts a server with two realms: one receives the load, and another caller reads the other. */
export const startWithTwoRealms = async (program: Program, rootKey: string, url: string, number: number) => {
  const server = await start(program)
  await timeToFirstResponse(server, "/healthz")
  const api = new Api(`http://127.0.0.1:${server.port}`, rootKey)
  const busy = await seedRealm(api, url, number, 1_000)
  const other = await seedRealm(api, url, number + 1, 1_000)
  const read = (n: number): Call => {
    const id = other.users[n % other.users.length] ?? ""
    return { request: get(other, `/v2/users/${id}`), status: 200, expectedTexts: [`{"id":"${id}"`] }
  }
  let reads = 0
  return { server, busy, other, nextRead: () => read(reads++) }
}
