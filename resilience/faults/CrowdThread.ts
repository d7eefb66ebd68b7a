import { connect } from "node:net"
import { setTimeout } from "node:timers/promises"
import { parentPort, workerData } from "node:worker_threads"
import { SeededRandom } from "../../test/harness/SeededRandom.ts"
import type { CrowdAnswers, CrowdOptions } from "./Crowd.ts"

/** The time without a response after which a request counts as failed, in milliseconds. */
const PATIENCE = 20_000

const { seed, ports, callers, requests, pause }: CrowdOptions = workerData

const statuses = new Map<string, number>()
const millis: Array<number> = []
let missingRetryAfter = 0
let isOver = false

/** Sends a request on a new connection. Returns the response, or the reason why there is none. */
const ask = (port: number, request: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(request))
    socket.setEncoding("latin1").setTimeout(PATIENCE, () => {
      resolve("no response in time")
      socket.destroy()
    })
    socket
      .on("data", (text: string) => (answer += text))
      .once("error", (error: NodeJS.ErrnoException) => resolve(`no answer: ${error.code}`))
      .once("close", () => resolve(answer === "" ? "no response: closed" : answer))
  })

const caller = async (index: number) => {
  const random = new SeededRandom(seed, 4_000 + index)
  while (!isOver) {
    const began = performance.now()
    const answer = await ask(random.pick(ports) ?? 0, random.pick(requests) ?? "")
    millis.push(performance.now() - began)
    const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? answer
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === "503" && !/\r\nretry-after: \d/i.test(answer)) missingRetryAfter++
    await setTimeout(random.between(0, pause))
  }
}

parentPort?.once("message", () => (isOver = true))
await Promise.all(Array.from({ length: callers }, (_, index) => caller(index)))
parentPort?.postMessage({ statuses: [...statuses], millis, missingRetryAfter } satisfies CrowdAnswers)
