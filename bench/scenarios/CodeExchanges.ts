import { mkdtempSync, rmSync } from "node:fs"
import { Agent } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Api } from "#testing/Api"
import { send } from "../../test/harness/HttpClient.ts"
import { startReceiver } from "../../test/harness/Receiver.ts"
import { type Program, start, timeToFirstResponse } from "../../test/harness/Servers.ts"
import { liveHeap } from "../harness/HeapProbe.ts"

/** The live heap of a process after logins through an external provider (SEC-93). */
export interface CodeExchanges {
  /** The live heap in MiB, after different numbers of exchanges. */
  readonly heap: ReadonlyArray<{ readonly exchanges: number; readonly mebibytes: number }>
  /** The ratio of the last live heap to the first. */
  readonly growth: number
  readonly seconds: number
  readonly wrong: number
  readonly firstWrong: string | undefined
}

const CALLBACK = "https://app.bench.test/back"
const CLIENT = "bench"
/** The number of different users, and of concurrent logins. */
const PEOPLE = 200
const AT_ONCE = 8

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** An ID token with an arbitrary signature. The service doesn't check it, because it has no keys of a generic provider. */
const idToken = (issuer: string, sub: string, nonce: string) => {
  const now = Math.floor(Date.now() / 1_000)
  const claims = { iss: issuer, aud: CLIENT, sub, nonce, iat: now, exp: now + 600 }
  return `${part({ alg: "RS256" })}.${part(claims)}.${"A".repeat(342)}`
}

/** Starts a provider that issues an ID token for each code. The code contains the subject and the nonce. */
const provider = () =>
  startReceiver(({ url, headers }, body, response) => {
    response.setHeader("content-type", "application/json")
    const issuer = "https://id.bench.test"
    if (url?.endsWith("/token") === true) {
      const [sub = "", nonce = ""] = (new URLSearchParams(body).get("code") ?? "").split(" ")
      const answer = {
        access_token: sub,
        token_type: "Bearer",
        expires_in: 3_600,
        id_token: idToken(issuer, sub, nonce)
      }
      response.end(JSON.stringify(answer))
      return
    }
    const sub = String(headers.authorization).split(" ")[1] ?? ""
    response.end(JSON.stringify({ sub, email: `${sub}@bench.test`, email_verified: true }))
  })

/** Logs users in through a local provider with scope `openid`, and measures the live heap at each mark. */
export const measureCodeExchanges = async (
  program: Program,
  rootKey: string,
  marks: ReadonlyArray<number>
): Promise<CodeExchanges> => {
  const folder = mkdtempSync(join(tmpdir(), "bench-"))
  const heapFile = join(folder, "heap")
  const environment = { ...program.environment, BENCH_SERVICE: program.file, BENCH_HEAP: heapFile }
  const server = await start({
    ...program,
    file: new URL("../../test/harness/LiveHeap.ts", import.meta.url).pathname,
    environment
  })
  const peer = await provider()
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const heap: Array<{ readonly exchanges: number; readonly mebibytes: number }> = []
  let wrong = 0
  let firstWrong: string | undefined
  try {
    await timeToFirstResponse(server, "/healthz")
    const root = new Api(`http://127.0.0.1:${server.port}`, rootKey)
    const realm = await root.post("/v2/realms", { realm: { name: "Exchanges", jwt_algo: "hs256" } })
    const api_key = { name: "bench", level: "write", realm_id: realm.id }
    const key = (await root.post("/v2/api_keys", { api_key })).string("key")
    const host = peer.url.replace(/\/hook$/, "")
    const auth_provider = {
      provider_type: "oauth2",
      client_id: CLIENT,
      client_secret: "secret",
      scopes: ["openid"],
      authorization_url: `${host}/authorize`,
      token_url: `${host}/token`,
      profile_url: `${host}/profile`,
      id_field: "sub",
      email_verified_field: "email_verified"
    }
    const { id } = await new Api(root.url, rootKey, realm.id).post("/v2/auth_providers", { auth_provider })
    const options = { agent, port: server.port, key }
    const path = `/v2/auth_providers/${id}/authorize?redirect_uri=${encodeURIComponent(CALLBACK)}`

    const exchange = async (n: number) => {
      const begun = await send({ ...options, method: "GET", path })
      const url = new URL(String(Object(JSON.parse(begun.text)).auth_url))
      const [state, nonce] = [url.searchParams.get("state"), url.searchParams.get("nonce")]
      const body = { state, code: `person${n % PEOPLE} ${nonce}` }
      const { status, text } = await send({ ...options, method: "POST", path: "/v2/auth_providers/authorize", body })
      if (status === 201 || status === 200) return
      wrong++
      firstWrong ??= `${status} ${text.slice(0, 300)}`
    }

    let next = 0
    const until = async (mark: number) => {
      while (next < mark) await exchange(next++)
    }
    const began = performance.now()
    // The first exchange of each user creates the user, so these run before the concurrent ones.
    await until(PEOPLE)
    for (const mark of marks) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => until(mark)))
      heap.push({ exchanges: mark, mebibytes: await liveHeap(server, heapFile) })
    }
    const growth = (heap.at(-1)?.mebibytes ?? 0) / (heap[0]?.mebibytes ?? 1)
    return { heap, growth, seconds: (performance.now() - began) / 1_000, wrong, firstWrong }
  } finally {
    agent.destroy()
    peer.stop()
    await server.stop("SIGKILL")
    rmSync(folder, { recursive: true, force: true })
  }
}
