import { connect, type Socket } from "node:net"
import { parentPort, workerData } from "node:worker_threads"
import { type SlowClientsOptions, type Way, ways } from "./SlowClients.ts"

const { port, key, counts }: SlowClientsOptions = workerData

/** The number of requests from a client that doesn't read responses. */
const UNREAD = 20

/** The interval between two bytes, in milliseconds. */
const SECOND = 1_000

const head = (line: string, ...more: ReadonlyArray<string>) =>
  [line, "Host: faults.test", `Authorization: Bearer ${key}`, ...more].join("\r\n")

const large = `${head("GET /openapi.json HTTP/1.1")}\r\n\r\n`

const sendSlowly = (socket: Socket, first: string) => {
  socket.write(first)
  const timer = setInterval(() => socket.write("x"), SECOND)
  socket.resume().once("close", () => clearInterval(timer))
}

/** The behavior of a client on its connection. */
const behaviors: Readonly<Record<Way, (socket: Socket) => void>> = {
  "slow headers": (socket) => sendSlowly(socket, head("POST /v2/orgs HTTP/1.1", "X-Slow: ")),
  "slow bodies": (socket) =>
    sendSlowly(
      socket,
      `${head("POST /v2/orgs HTTP/1.1", "Content-Type: application/json", "Content-Length: 9999")}\r\n\r\n{`
    ),
  "not a word": (socket) => socket.resume(),
  "unread responses": (socket) => socket.pause().write(large.repeat(UNREAD)),
  "idle after a response": (socket) => socket.resume().write(`${head("GET /healthz HTTP/1.1")}\r\n\r\n`)
}

const ports = new Map<number, Way>()

const open = (way: Way) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      ports.set(socket.localPort ?? 0, way)
      socket.off("error", reject).on("error", () => socket.destroy())
      behaviors[way](socket)
      resolve()
    }).once("error", reject)
  })

await Promise.all(ways.flatMap((way) => Array.from({ length: counts[way] }, () => open(way))))
parentPort?.postMessage(ports)
