import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { expect, onTestFinished, test } from "vitest"
import type { OpsCommand, OpsMessage } from "#server/OpsWorker"
import { getWith } from "../support/getWith.ts"

test("SEC-251: the ops worker reports a hanging main thread as unhealthy, and otherwise forwards its responses", async () => {
  const worker = new Worker(new URL("../../src/server/OpsWorker.ts", import.meta.url), {
    workerData: { host: "127.0.0.1", port: 0, isShared: false }
  })
  onTestFinished(() => void worker.terminate())
  let port = 0
  worker.on("message", (message: OpsMessage) => {
    if (message._tag === "Listening") port = message.port
    // Requests for other paths never get a response, as if the main thread hung.
    if (message._tag === "Request" && message.request.path === "/healthz") {
      const { id } = message.request
      worker.postMessage({ response: { id, status: 200, headers: { "x-a": "b" }, text: "{}" } } satisfies OpsCommand)
    }
  })
  await once(worker, "message")
  const url = `http://127.0.0.1:${port}`
  const [answered, silent] = await Promise.all([getWith(`${url}/healthz`, {}), getWith(`${url}/readyz`, {})])
  expect([answered.status, answered.text, answered.headers.get("x-a")]).toEqual([200, "{}", "b"])
  expect([silent.status, silent.body]).toEqual([503, { status: "not answering" }])
})
