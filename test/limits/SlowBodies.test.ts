import { connect, type Socket } from "node:net"
import { expect, test } from "vitest"
import { service } from "../support/sallyport.ts"

/** Starts a write whose body never arrives. Resolves when the service has read the head. */
const startRequest = (url: URL, key: string): Promise<Socket> =>
  new Promise((done, failed) => {
    const socket = connect(Number(url.port), url.hostname)
    socket.once("error", failed).once("data", () => done(socket))
    const head = ["POST /v2/orgs HTTP/1.1", `Host: ${url.host}`, `Authorization: Bearer ${key}`]
    const body = ["Content-Type: application/json", "Content-Length: 100", "Expect: 100-continue", "", "{"]
    socket.write([...head, ...body].join("\r\n"))
  })

test("SEC-110, RG-11: stalled request bodies don't block another realm's writes, whatever the number of keys", async () => {
  const { given } = await service()
  const [slow, other] = [await given.realm(), await given.realm()]
  const keys = await Promise.all(Array.from({ length: 5 }, () => slow.as("write")))
  const url = new URL(slow.url)
  const sockets = await Promise.all(
    Array.from({ length: 300 }, (_, n) => startRequest(url, keys[n % keys.length]?.key ?? ""))
  )
  try {
    // By the time these return, the service has read everything that was sent before.
    for (const key of [...keys, ...keys]) expect((await key.get("/v2/orgs")).status).toBe(200)
    expect((await other.post("/v2/orgs", { org: { name: "Acme" } })).status).toBe(201)
    expect((await slow.post("/v2/orgs", { org: { name: "Acme" } })).status).toBe(201)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})
