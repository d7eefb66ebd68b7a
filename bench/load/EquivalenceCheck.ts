import { createHash } from "node:crypto"
import { connect } from "node:net"
import type { Server } from "../../test/harness/Servers.ts"
import type { Case } from "./Cases.ts"

interface Reply {
  readonly status: string
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Sends one request on a new connection. */
const call = (port: number, request: string): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port })
    let text = ""
    socket.setEncoding("utf8")
    socket.on("data", (chunk) => (text += chunk))
    socket.once("error", reject)
    socket.once("end", () => {
      const [head = "", ...body] = text.split("\r\n\r\n")
      const [status = "", ...lines] = head.split("\r\n")
      const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line]))
      resolve({ status, headers, body: body.join("\r\n\r\n") })
    })
    socket.write(request.replace("\r\n", "\r\nConnection: close\r\n"))
  })

/** Headers that may differ. The plain server omits `Link`. */
const differing = new Set(["date", "connection", "keep-alive", "link"])

/** The headers that must be equal. A new request id is reduced to its prefix. */
const headersOf = ({ headers }: Reply): ReadonlyArray<string> =>
  [...headers]
    .filter(([name]) => !differing.has(name))
    .map(([, line]) => line.toLowerCase().replace(/req_[0-9a-z]{26}/, "req_"))
    .sort()

type Reviver = (name: string, value: unknown) => unknown

/** Decodes the header and claims of a JWT. */
const unpacked = (token: string, reviver: Reviver): unknown =>
  token
    .split(".")
    .slice(0, 2)
    .map((part): unknown => JSON.parse(Buffer.from(part, "base64url").toString("utf8"), reviver))

const times = new Set(["iat", "exp", "created_at", "expires_at"])

/**
 * Returns the body with its tokens decoded. In the response to a creation, ids, times and numbered names are replaced
 * by their format.
 */
const bodyOf = (body: string, creates: boolean): string => {
  const masked: Reviver = (name, value) => {
    if (name === "token" && typeof value === "string") return unpacked(value, masked)
    if (name === "iat" || (creates && times.has(name))) return typeof value
    if (!creates || typeof value !== "string") return value
    return value.replace(/^(usr|kss|crd)_[0-9a-z]{26}$/, "$1_").replace(/^visitor\d+/, "visitor")
  }
  return JSON.stringify(JSON.parse(body, masked))
}

const signature = (reply: Reply): string | undefined => {
  const [, token = ""] = /"token":"([^"]+)"/.exec(reply.body) ?? []
  return token === "" ? undefined : createHash("sha256").update(token).digest("hex")
}

/**
 * Sends the same requests to both servers. Throws if the responses differ, because their figures could not be compared.
 */
export const checkEquivalence = async (one: Server, other: Server, cases: ReadonlyArray<Case>): Promise<void> => {
  for (const { name, creates, repeatable, next } of cases) {
    // The first responses fill caches and prepare statements.
    for (const { port } of [one, other]) await call(port, next().request)
    const first = next().request
    const second = repeatable ? first : next().request
    const [a, b] = await Promise.all([call(one.port, first), call(other.port, second)])
    const seen = (reply: Reply) =>
      JSON.stringify([
        reply.status,
        headersOf(reply).filter((line) => !creates || !line.startsWith("content-length")),
        bodyOf(reply.body, creates)
      ])
    if (seen(a) !== seen(b)) throw new Error(`${name}: the responses differ:\n${seen(a)}\n${seen(b)}`)
    if (name === "get-session" && signature(a) !== signature(b)) await sameToken(one, other, first)
  }
  for (const probe of [
    "GET /v2/users HTTP/1.1\r\nHost: bench\r\n\r\n",
    "GET /nowhere HTTP/1.1\r\nHost: bench\r\n\r\n"
  ]) {
    const [a, b] = await Promise.all([call(one.port, probe), call(other.port, probe)])
    if (a.status !== b.status) throw new Error(`${probe.split("\r\n", 1)[0]}: ${a.status} and ${b.status}`)
  }
}

/**
 * Checks that both servers issue the same token. Within one second, the key, the claims and thus the signature are
 * identical.
 */
const sameToken = async (one: Server, other: Server, request: string): Promise<void> => {
  for (let tries = 0; tries < 5; tries++) {
    const [a, b] = await Promise.all([call(one.port, request), call(other.port, request)])
    if (signature(a) === signature(b)) return
  }
  throw new Error("get-session: the tokens differ")
}
