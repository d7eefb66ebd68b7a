import { createServer, type RequestListener } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net"
import { Context, Effect, Layer } from "effect"
import { Outbound, type OutboundPost, type PostResponse } from "#platform/Outbound"
import { layer } from "#server/OutboundHttp"

/** The host name in the certificate of TLS receivers. The certificate and its key are for tests only. */
export const secureName = "hooks.example.test"

/** A self-signed certificate. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBfDCCASKgAwIBAgIBATAKBggqhkjOPQQDAjAdMRswGQYDVQQDDBJob29rcy5l
eGFtcGxlLnRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMB0x
GzAZBgNVBAMMEmhvb2tzLmV4YW1wbGUudGVzdDBZMBMGByqGSM49AgEGCCqGSM49
AwEHA0IABIuzjY4f6JuRgCQ6qef0pg/ZRaSpBtc788Q4NJk74qc4OuHk8mqEkKHM
LaEVs8u6svMWSGNG0kzKrAHxjqJ2biGjUTBPMB0GA1UdEQQWMBSCEmhvb2tzLmV4
YW1wbGUudGVzdDAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBQHEJDWa3hHOQCb
PgWwBjxwvfGRrjAKBggqhkjOPQQDAgNIADBFAiBQaN81R585V/PdhGsW6Z9g8wFW
ryDOimFWOlSc9H6ceAIhAK8E7QwlniGTwMC1jBhhJVh+nMgmQuP87YkVNG79OtSW
-----END CERTIFICATE-----
`

/** The key of the certificate. */
export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgABs4PznjJIZtXBOB
CGp1QfD29KuYRFyIGu1XdAXV43OhRANCAASLs42OH+ibkYAkOqnn9KYP2UWkqQbX
O/PEODSZO+KnODrh5PJqhJChzC2hFbPLurLzFkhjRtJMyqwB8Y6idm4h
-----END PRIVATE KEY-----
`

/** A listening server and what it has received. */
export interface Listening {
  readonly port: number
  /** One socket for each connection ever opened. */
  readonly sockets: ReadonlyArray<Socket>
  /** The number of received bytes, including TLS. */
  readonly received: () => number
  readonly requests: ReadonlyArray<{ readonly method: string; readonly path: string; readonly body: string }>
  stop(): Promise<void>
}

const listening = async (
  server: Server,
  where: { readonly host?: string; readonly port?: number },
  requests: Listening["requests"] = []
): Promise<Listening> => {
  const sockets: Array<Socket> = []
  server.on("connection", (socket) => sockets.push(socket.on("error", () => {})))
  await new Promise<void>((done) => server.listen(where.port ?? 0, where.host ?? "127.0.0.1", done))
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    received: () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    requests,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    }
  }
}

/** A receiver of posts. */
export const receiver = (
  answer: RequestListener,
  { secure = false, ...where }: { readonly secure?: boolean; readonly host?: string; readonly port?: number } = {}
): Promise<Listening> => {
  const requests: Array<Listening["requests"][number]> = []
  const listener: RequestListener = (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString()
      requests.push({ method: request.method ?? "", path: request.url ?? "", body })
      answer(request, response)
    })
  }
  const server = secure
    ? createSecureServer({ key: certificateKey, cert: certificate }, listener)
    : createServer(listener)
  return listening(server, where, requests)
}

/** A server that must not be reached. It responds to everything. */
export const canary = (where: { readonly host?: string; readonly port?: number } = {}): Promise<Listening> =>
  listening(
    createTcpServer((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\ncanary")),
    where
  )

/** A server that accepts connections and never responds. */
export const silentServer = (): Promise<Listening> =>
  listening(
    createTcpServer((socket) => socket.resume()),
    {}
  )

type Sockets = NonNullable<Parameters<typeof layer>[1]>

/** A listener that stops when the scope closes. */
export const scoped = (start: () => Promise<Listening>) =>
  Effect.acquireRelease(Effect.promise(start), ({ stop }) => Effect.promise(stop))

/**
 * The outbound client under test, until the scope closes. Its function posts, and succeeds with the response or the
 * failure's reason.
 */
export const outbound = (allowPrivateTargets: boolean, sockets: Sockets = {}) =>
  Effect.map(
    Layer.build(layer({ allowPrivateTargets }, sockets)),
    (context) =>
      (url: string, more: Partial<OutboundPost> = {}) =>
        Context.get(context, Outbound)
          .post({ url, headers: { "content-type": "application/json" }, body: "{}", ...more })
          .pipe(
            Effect.match({
              onFailure: ({ reason }): PostResponse | string => reason,
              onSuccess: (answer): PostResponse | string => answer
            })
          )
  )
