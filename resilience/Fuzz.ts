import { randomBytes } from "node:crypto"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { buildService } from "../test/harness/Build.ts"
import { openDatabase } from "../test/harness/Database.ts"
import { SeededRandom } from "../test/harness/SeededRandom.ts"
import { memory, type Server, start, stopAll, timeToFirstResponse } from "../test/harness/Servers.ts"
import { IdPool } from "./fuzz/IdPool.ts"
import { OAuthRequests } from "./fuzz/OAuthRequests.ts"
import { type FuzzRequest, RequestGenerator } from "./fuzz/RequestGenerator.ts"

const { values: options } = parseArgs({
  options: {
    requests: { type: "string", default: "10000" },
    seed: { type: "string", default: "20260101" },
    service: { type: "string" }
  }
})

const requestCount = Number(options.requests)
const key = randomBytes(24).toString("hex")
const agent = new Agent({ keepAlive: true, maxSockets: 16 })

interface Answered {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly text: string
}

const heapFile = join(tmpdir(), `fuzz-heap-${process.pid}`)

/** The live heap and the resident memory of the service after a garbage collection, in MiB. */
const measureMemory = async (server: Server) => {
  rmSync(heapFile, { force: true })
  process.kill(server.pid, "SIGUSR2")
  while (!existsSync(heapFile) || readFileSync(heapFile, "utf8") === "") {
    await new Promise((done) => setTimeout(done, 50))
  }
  const heap = Math.round(Number(readFileSync(heapFile, "utf8")) / 2 ** 20)
  return { heap, resident: memory(server).resident }
}

type MemoryUse = Awaited<ReturnType<typeof measureMemory>>

/** Whether the live heap or the resident memory has grown by more than a tenth. */
const hasGrown = (before: MemoryUse, after: MemoryUse) =>
  after.heap > before.heap * 1.1 || after.resident > before.resident * 1.1

const pages = ["verify", "reset", "invitation", "jwks", ".well-known/openid-configuration"]

/** Sends a request without any validation. */
const send = (port: number, { method, path, headers, body }: FuzzRequest): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const content = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
    const asked = request({ agent, host: "127.0.0.1", port, method, path, headers: { ...headers, ...content } })
    asked.once("response", (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers["retry-after"],
          text: Buffer.concat(chunks).toString()
        })
      )
    })
    asked.once("error", reject)
    asked.end(body)
  })

const fuzz = async (server: Server) => {
  const { port } = server
  const bearer = { authorization: `Bearer ${key}` }
  const call = async (method: string, path: string, content?: object): Promise<unknown> => {
    const json: FuzzRequest["headers"] = { ...bearer, "content-type": "application/json" }
    const { text } = await send(port, { method, path, headers: json, body: JSON.stringify(content) })
    return JSON.parse(text)
  }
  const idOf = (made: unknown): string => String(Reflect.get(Object(made), "id"))
  const realm = idOf(await call("POST", "/v2/realms", { realm: { name: "Fuzzed", jwt_algo: "hs256" } }))
  const pool = new IdPool()
  const random = new SeededRandom(Number(options.seed))
  pool.add(realm)
  const requests = new RequestGenerator(await call("GET", "/openapi.json"), random, pool, realm)
  /** Creates an app and returns its host. */
  const newHost = async (): Promise<string> => {
    const client_app = { name: "Fuzzed", login_handler: "https://app.example.test/login" }
    const app = await call("POST", `/v2/client_apps?realm_id=${realm}`, { client_app })
    return String(Reflect.get(Object(app), "domains")?.[0])
  }
  let host = await newHost()
  const redirectUri = "https://app.example.test/callback"
  const web = { name: "Fuzzed", client_type: "web", redirect_uris: [redirectUri] }
  const client = await call("POST", `/v2/client_apps?realm_id=${realm}`, { client_app: web })
  const secret = String(Reflect.get(Object(client), "client_secret"))
  const tokens: Array<string> = ["oac_x", "ort_x"]
  const oauth = new OAuthRequests(random, { realm, client: idOf(client), secret, redirectUri, tokens })
  const counts = new Map<number, number>()
  const atHost = { sent: 0, done: 0 }
  let toOAuth = 0
  const wrong: Array<string> = []

  /** Whether a response is acceptable: not a 5xx, or a 503 with Retry-After. */
  const isRight = ({ status, retryAfter }: Answered) => status < 500 || (status === 503 && retryAfter !== undefined)

  const sendOAuth = async () => {
    const sent = oauth.next()
    const answered = await send(port, sent)
    counts.set(answered.status, (counts.get(answered.status) ?? 0) + 1)
    toOAuth += 1
    for (const [token] of answered.text.matchAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+|urn:ietf:params:oauth:request_uri:\w+/g)) {
      if (tokens.length < 200) tokens.push(token)
    }
    if (!isRight(answered))
      wrong.push(`${answered.status} ${sent.method} ${sent.path.slice(0, 500)} ${sent.body?.slice(0, 500) ?? ""}`)
  }

  const sendOne = async () => {
    if (random.chance(0.15)) return sendOAuth()
    const made = requests.next()
    const page = random.chance(0.03)
    const management = { ...bearer, "x-service-realm": realm }
    const headers = page ? made.headers : { ...(made.hosted ? { host } : management), ...made.headers }
    const path = page ? `/realms/${realm}/${random.pick(pages)}${/\?.*/.exec(made.path)?.[0] ?? ""}` : made.path
    const sent = { ...made, headers, path }
    const answered = await send(port, sent)
    const { status, text } = answered
    counts.set(status, (counts.get(status) ?? 0) + 1)
    if (made.hosted && !page) {
      atHost.sent += 1
      if (status < 400) atHost.done += 1
      // The app was deleted or moved to another host.
      if (status === 404 && path.startsWith("/v1/")) host = await newHost()
    }
    for (const [id] of text.slice(0, 20_000).matchAll(/(?<![a-z])[a-z]{2,4}_[0-9a-z]{26}(?![0-9a-z])/g)) pool.add(id)
    if (!isRight(answered)) {
      wrong.push(
        `${status} ${sent.method} ${sent.path.slice(0, 300)} ${sent.body?.slice(0, 500) ?? ""} -> ${text.slice(0, 300)}`
      )
    }
  }

  const sendMany = async (count: number) => {
    let left = count
    const worker = async () => {
      while (left-- > 0) await sendOne()
    }
    await Promise.all(Array.from({ length: 16 }, worker))
  }

  // The memory is compared only after a warm-up that covers all operations.
  await sendMany(2 * requestCount)
  const before = await measureMemory(server)
  const began = performance.now()
  await sendMany(requestCount)
  const seconds = (performance.now() - began) / 1_000
  const loaded = memory(server)
  let after = await measureMemory(server)
  // Freed memory is returned to the system gradually.
  for (let n = 0; n < 10 && hasGrown(before, after); n++) {
    await new Promise((done) => setTimeout(done, 1_000))
    after = await measureMemory(server)
  }
  const health = await send(port, { method: "GET", path: "/readyz", headers: {}, body: undefined })
  return { counts, atHost, toOAuth, wrong, before, loaded, after, seconds, ready: health.status }
}

const database = await openDatabase()
try {
  const environment = {
    DATABASE_URL: database.url,
    SALLYPORT_SECRET: randomBytes(24).toString("hex"),
    SALLYPORT_PUBLIC_URL: "http://fuzz.test",
    SALLYPORT_ROOT_KEY: key,
    SALLYPORT_ALLOW_PRIVATE_TARGETS: "true",
    SALLYPORT_LIMITS: "off"
  }
  const file = resolve(import.meta.dirname, "../test/harness/LiveHeap.ts")
  const heap = { BENCH_SERVICE: buildService(options.service), BENCH_HEAP: heapFile }
  const server = await start({ name: "service", file, environment: { ...environment, ...heap } })
  await timeToFirstResponse(server, "/readyz")
  const { counts, atHost, toOAuth, wrong, before, loaded, after, seconds, ready } = await fuzz(server)
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  console.log(
    `${total} requests generated from the OpenAPI document (seed ${options.seed}), ${seconds.toFixed(0)} s for the last third`
  )
  console.log(
    [...counts]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`)
      .join(", ")
  )
  console.log(
    `to hosted login: ${atHost.sent}, of these ${atHost.done} handled by an app's host; to OAuth endpoints: ${toOAuth}`
  )
  const figures = ({ heap, resident }: MemoryUse) => `${heap} MiB live, ${resident} MiB resident`
  console.log(
    `memory before: ${figures(before)}; under load: ${loaded.resident} MiB resident; after: ${figures(after)}`
  )
  for (const line of wrong.slice(0, 20)) console.log(line)
  if (wrong.length > 0 || ready !== 200 || hasGrown(before, after)) process.exitCode = 1
} finally {
  rmSync(heapFile, { force: true })
  agent.destroy()
  stopAll()
  await database.stop()
}
