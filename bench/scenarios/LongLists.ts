import type { Program } from "../harness/Servers.ts"
import { openLoop, pause } from "../load/OpenLoop.ts"
import { type ResultTable, within } from "../report/ResultTable.ts"
import { at, startWithTwoRealms } from "./OverloadSetup.ts"

const list = (element: string, count: number) => `[${Array(count).fill(element).join(",")}]`

const json = (body: string) => ({ path: "/v2/users", type: "application/json", body })
const rows = (row: string) => ({ path: "/v2/imports", type: "application/x-ndjson", body: `${row}\n` })

/** The largest bodies and rows, whose every element is wrong, and such as are not too long to be looked at. */
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
  "a row of 990 kB that is no JSON": rows(`{"reference":${list("1", 490_000)}!`)
}

/** How many of them are sent in a second. */
const PER_SECOND = 5

/** Reads of another realm while the worst bodies and rows come in. */
export const measureLongLists = async (
  program: Program,
  rootKey: string,
  url: string,
  seconds: number
): Promise<ResultTable> => {
  const { server, busy, nextRead } = await startWithTwoRealms(program, rootKey, url, 17)
  let firstWrong: string | undefined
  try {
    const reads = async () => {
      const { done, firstWrong: wrong } = await openLoop(server.port, 100, nextRead)(seconds)
      firstWrong ??= wrong
      return done
    }
    await reads()
    const table: Array<readonly [string, string, string]> = []
    for (const [what, { path, type, body }] of Object.entries(inputs)) {
      const send = () =>
        fetch(`http://127.0.0.1:${server.port}${path}?realm_id=${busy.id}`, {
          method: "POST",
          headers: { authorization: `Bearer ${rootKey}`, "content-type": type },
          body
        }).then(async (response) => ({ status: response.status, size: (await response.arrayBuffer()).byteLength }))
      const quiet = await reads()
      let isOver = false
      let [answers, size] = [0, 0]
      const sending = (async () => {
        while (!isOver) {
          const answer = await send()
          answers += 1
          size = Math.max(size, answer.size)
          if (answer.status !== 422 && answer.status !== 200) firstWrong ??= `${answer.status} to ${what}`
          await pause(1_000 / PER_SECOND)
        }
      })()
      const beside = await reads()
      isOver = true
      await sending
      const [without, withThem] = [at(quiet, 0.99), at(beside, 0.99)]
      table.push(
        [
          `${what}: p99 of another realm's reads without and with, ms`,
          `${without.toFixed(1)}, ${withThem.toFixed(1)}`,
          ""
        ],
        ["× of without", (withThem / without).toFixed(2), within(withThem <= 1.5 * without, "≤ 1.5")],
        ["answers; the largest, × of what was sent", `${answers}; ${(size / body.length).toFixed(2)}`, ""]
      )
    }
    return {
      title: `The worst bodies and rows, ${PER_SECOND} a second`,
      rows: table,
      wrong: firstWrong === undefined ? 0 : 1,
      firstWrong
    }
  } finally {
    await server.stop("SIGKILL")
  }
}
