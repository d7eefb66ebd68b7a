import { Agent, request } from "node:https"
import { setTimeout } from "node:timers/promises"
import type { Proxy } from "./Proxy.ts"

/** The pause between two requests of a client, in milliseconds. */
const PAUSE = 10

/** The time limit for a response, in milliseconds. */
const PATIENCE = 15_000

/** The results of the clients' requests. */
export interface Traffic {
  readonly millis: Array<number>
  /** Unexpected results, each with the time when it occurred. */
  readonly failed: Array<string>
  readonly created: Array<string>
}

interface Answer {
  readonly status: number
  readonly text: string
}

/** The account that the clients use: the key of a realm, some users, and their password. */
export interface Account {
  readonly key: string
  readonly realmId: string
  readonly users: ReadonlyArray<string>
  readonly password: string
}

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly expected: number
}

/**
 * Returns a client's next call, alternating between reads, logins and writes. None has an `Idempotency-Key`, so HAProxy
 * doesn't repeat writes.
 */
const callOf = (turn: number, name: string, { users, password }: Account): Call => {
  const user = users[turn % users.length] ?? ""
  switch (turn % 8) {
    case 0: {
      const body = { org: { name: `${name} ${turn}` } }
      return { method: "POST", path: "/v2/orgs", body, expected: 201 }
    }
    case 2:
      return { method: "POST", path: "/v2/sessions", body: { session: { user_id: user } }, expected: 201 }
    case 4:
      return { method: "GET", path: "/v2/users?max_results=5", expected: 200 }
    case 6: {
      if (turn % 32 === 6) {
        return { method: "POST", path: `/v2/users/${user}/authenticate`, body: { user: { password } }, expected: 200 }
      }
      const body = { user: { first_name: name } }
      return { method: "PUT", path: `/v2/users/${user}`, body, expected: 200 }
    }
    default:
      return { method: "GET", path: `/v2/users/${user}`, expected: 200 }
  }
}

const send = (proxy: Proxy, agent: Agent | false, { key, realmId }: Account, { method, path, body }: Call) =>
  new Promise<Answer>((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const asked = request(
      {
        host: "127.0.0.1",
        servername: "localhost",
        port: proxy.port,
        ca: proxy.certificate,
        agent,
        method,
        path,
        timeout: PATIENCE,
        headers: {
          authorization: `Bearer ${key}`,
          "x-service-realm": realmId,
          ...(text === undefined
            ? {}
            : { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
        }
      },
      (response) => {
        let answer = ""
        response.setEncoding("utf8")
        response.on("data", (chunk: string) => (answer += chunk))
        response.once("end", () => resolve({ status: response.statusCode ?? 0, text: answer }))
        response.once("error", reject)
      }
    )
    asked.once("timeout", () => asked.destroy(new Error("no response in time")))
    asked.once("error", reject)
    asked.end(text)
  })

const idOf = (text: string): string => {
  const body: unknown = JSON.parse(text)
  return typeof body === "object" && body !== null && "id" in body ? String(body.id) : ""
}

/**
 * Sends requests from many clients until the signal is aborted. Seven of eight clients use one persistent connection.
 * The eighth opens a new connection for each request. Nothing is retried, so any unexpected result counts as failed.
 */
export const sendUntil = async (
  stopped: AbortSignal,
  count: number,
  proxy: Proxy,
  account: Account
): Promise<Traffic> => {
  const traffic: Traffic = { millis: [], failed: [], created: [] }
  const client = async (index: number) => {
    const agent = index % 8 === 7 ? false : new Agent({ keepAlive: true, maxSockets: 1 })
    for (let turn = index; !stopped.aborted; turn++) {
      const call = callOf(turn, `client-${index}`, account)
      const began = performance.now()
      const fail = (what: string) =>
        traffic.failed.push(`${new Date().toISOString()} ${call.method} ${call.path}: ${what}`)
      try {
        const { status, text } = await send(proxy, agent, account, call)
        if (status !== call.expected) fail(`${status} ${text.slice(0, 200)}`)
        else if (call.method === "POST" && call.path === "/v2/orgs") traffic.created.push(idOf(text))
      } catch (error) {
        fail(String(error))
      }
      traffic.millis.push(performance.now() - began)
      await setTimeout(PAUSE)
    }
    if (agent !== false) agent.destroy()
  }
  await Promise.all(Array.from({ length: count }, (_, index) => client(index)))
  return traffic
}
