import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { authorize, type Realm } from "./Access.ts"
import { type Members, type Origin, readBody } from "./Body.ts"
import { HttpError } from "./HttpError.ts"
import { freshId } from "./Ids.ts"

/** The operations that the routes of the cases use. */
export interface Operations {
  readonly getSession: (realm: Realm, id: string) => Promise<object>
  readonly createSession: (realm: Realm, wrapped: Members, origin: Origin) => Promise<object>
  readonly getUser: (realm: Realm, id: string) => Promise<object>
  readonly listUsers: (realm: Realm, parameters: URLSearchParams) => Promise<object>
  readonly createUser: (realm: Realm, wrapped: Members, origin: Origin) => Promise<object>
  /** Logs in with a password. */
  readonly logIn: (realm: Realm, id: string, wrapped: Members, origin: Origin) => Promise<object>
}

/** Handles a request and returns the status and the body. */
const answer = async (
  { getSession, createSession, getUser, listUsers, createUser, logIn }: Operations,
  request: IncomingMessage
): Promise<readonly [status: number, body: object]> => {
  const [path = "", search] = (request.url ?? "").split("?", 2)
  const [, version, group, id, more] = path.split("/")
  if (request.method === "GET" && path === "/healthz") return [200, { status: "ok" }]
  const isKnown = group === "sessions" || group === "users"
  if (version === "v2" && isKnown && more === undefined && request.method === "GET") {
    const realm = await authorize(request, "read")
    if (group === "sessions" && id !== undefined) return [200, await getSession(realm, id)]
    if (group === "users" && id !== undefined) return [200, await getUser(realm, id)]
    if (group === "users") return [200, await listUsers(realm, new URLSearchParams(search))]
  }
  if (version === "v2" && id === undefined && request.method === "POST") {
    if (group === "sessions") {
      const realm = await authorize(request, "write")
      const { wrapped, origin } = await readBody(request, "session")
      return [201, await createSession(realm, wrapped, origin)]
    }
    if (group === "users") {
      const realm = await authorize(request, "write")
      const { wrapped, origin } = await readBody(request, "user")
      return [201, await createUser(realm, wrapped, origin)]
    }
  }
  if (version === "v2" && group === "users" && more === "authenticate" && id !== undefined) {
    const realm = await authorize(request, "write")
    const { wrapped, origin } = await readBody(request, "user")
    return [200, await logIn(realm, id, wrapped, origin)]
  }
  throw new HttpError(404, null, "no_such_address", "There is nothing at this address.")
}

const requestIdForm = /^[\w.-]{8,128}$/

const send = (response: ServerResponse, requestId: string, status: number, body: object): void => {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId
  })
  response.end(text)
}

const sendError = (response: ServerResponse, requestId: string, error: unknown): void => {
  const httpError = error instanceof HttpError ? error : new HttpError(500, null, "internal", "Something went wrong.")
  if (httpError !== error) console.error(error)
  const { status, field, code, message } = httpError
  send(response, requestId, status, {
    errors: [message],
    error_details: [{ field, code, message }],
    request_id: requestId
  })
}

const limits = {
  maxHeaderSize: 16 * 1_024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000
}

/** Serves the operations on the port set in the environment. */
export const serve = (operations: Operations): void => {
  createServer(limits, (request, response) => {
    const sent = request.headers["x-request-id"]
    const requestId = typeof sent === "string" && requestIdForm.test(sent) ? sent : freshId("req_")
    answer(operations, request).then(
      ([status, body]) => send(response, requestId, status, body),
      (error: unknown) => sendError(response, requestId, error)
    )
  }).listen(Number(process.env.PORT), process.env.HOST)
}
