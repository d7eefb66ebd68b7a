import type { Program } from "../../test/harness/Servers.ts"
import { measureDisturbedReads, type RepeatedCall } from "./DisturbedReads.ts"

const list = (element: string, count: number) => `[${Array(count).fill(element).join(",")}]`

const call = (path: string, type: string, body: string): RepeatedCall => ({
  method: "POST",
  path,
  type,
  body: () => body
})
const json = (body: string) => call("/v2/users", "application/json", body)
const rows = (row: string) => call("/v2/imports", "application/x-ndjson", `${row}\n`)

/** The largest bodies and rows. All their elements are wrong. Some are just short enough to be decoded. */
const inputs = {
  "80,000 credentials": json(`{"user":{"credentials":${list("{}", 80_000)}}}`),
  "5,000 wrong org IDs, 1,000 wrong permissions": json(
    `{"user":{"org_ids":${list("7", 5_000)},"permissions":${list("7", 1_000)}}}`
  ),
  "20,000 unknown members": json(`{"user":{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":1`).join(",")}}}`),
  "a row of 300,000 memberships": rows(`{"reference":"r","memberships":${list("{}", 300_000)}}`),
  "a row of 1,000 memberships with 400 wrong permissions": rows(
    `{"reference":"r","memberships":${list(`{"permissions":${list("7", 400)}}`, 1_000)}}`
  ),
  "a row of 990 kB that is not JSON": rows(`{"reference":${list("1", 490_000)}!`)
}

/** The number of these requests per second. */
const PER_SECOND = 5

/** Measures reads of another realm while the worst bodies and rows arrive. */
export const measureLongLists = (program: Program, rootKey: string, url: string, seconds: number) =>
  measureDisturbedReads(program, rootKey, url, seconds, {
    title: `The worst bodies and rows, ${PER_SECOND} a second`,
    number: 17,
    connections: 1,
    pauseMillis: 1_000 / PER_SECOND,
    statuses: [200, 422],
    calls: () => Promise.resolve(inputs)
  })
