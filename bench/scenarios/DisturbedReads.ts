import type { Program } from "../../test/harness/Servers.ts"
import { openLoop, pause } from "../load/OpenLoop.ts"
import type { SeededRealm } from "../load/Seed.ts"
import { type ResultTable, targetVerdict } from "../report/ResultTable.ts"
import { quantileOf, startWithTwoRealms } from "./OverloadSetup.ts"

/** A call that is repeated. `body`: the body of the nth call. */
export interface RepeatedCall {
  readonly method: "POST" | "PUT"
  readonly path: string
  readonly type: string
  readonly body: (n: number) => string
}

/** Calls to one realm while another realm is read. */
export interface Disturbance {
  readonly title: string
  /** The number of the first of the two realms. It is unique to the scenario. */
  readonly number: number
  /** The number of connections, and the pause after each response, in milliseconds. */
  readonly connections: number
  readonly pauseMillis: number
  /** The expected statuses. */
  readonly statuses: ReadonlyArray<number>
  /** Returns the calls by name, and creates the data that they need. */
  readonly calls: (port: number, busy: SeededRealm) => Promise<Readonly<Record<string, RepeatedCall>>>
}

/** Measures reads of another realm, without disturbance and then with each kind of call in turn. */
export const measureDisturbedReads = async (
  program: Program,
  rootKey: string,
  url: string,
  seconds: number,
  { title, number, connections, pauseMillis, statuses, calls }: Disturbance
): Promise<ResultTable> => {
  const { server, busy, nextRead } = await startWithTwoRealms(program, rootKey, url, number)
  let firstWrong: string | undefined
  try {
    const reads = async () => {
      const { done, firstWrong: wrong } = await openLoop(server.port, 100, nextRead)(seconds)
      firstWrong ??= wrong
      return done
    }
    await reads()
    const table: Array<readonly [string, string, string]> = []
    for (const [what, { method, path, type, body }] of Object.entries(await calls(server.port, busy))) {
      const quiet = await reads()
      let isOver = false
      let [sent, size] = [0, 0]
      const answered = new Map<number, number>()
      const sending = Array.from({ length: connections }, async () => {
        while (!isOver) {
          const text = body(sent++)
          const response = await fetch(`http://127.0.0.1:${server.port}${path}?realm_id=${busy.id}`, {
            method,
            headers: { authorization: `Bearer ${rootKey}`, "content-type": type },
            body: text
          })
          const answer = await response.text()
          size = Math.max(size, answer.length / text.length)
          answered.set(response.status, (answered.get(response.status) ?? 0) + 1)
          if (!statuses.includes(response.status))
            firstWrong ??= `${response.status} to ${what}: ${answer.slice(0, 200)}`
          await pause(pauseMillis)
        }
      })
      const beside = await reads()
      isOver = true
      await Promise.all(sending)
      const [without, withThem] = [quantileOf(quiet, 0.99), quantileOf(beside, 0.99)]
      const answers = [...answered].map(([status, count]) => `${count} × ${status}`).join(", ")
      table.push(
        [
          `${what}: p99 of another realm's reads without and with, ms`,
          `${without.toFixed(1)}, ${withThem.toFixed(1)}`,
          ""
        ],
        ["× of without", (withThem / without).toFixed(2), targetVerdict(withThem <= 1.5 * without, "≤ 1.5")],
        ["responses; the largest, × the size of the request", `${answers}; ${size.toFixed(2)}`, ""]
      )
    }
    return { title, rows: table, wrong: firstWrong === undefined ? 0 : 1, firstWrong }
  } finally {
    await server.stop("SIGKILL")
  }
}
