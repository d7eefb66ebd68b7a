import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A receiver of webhooks. */
export interface Receiver {
  readonly url: string
  readonly stop: () => void
}

/** Starts a receiver of webhooks. */
export const startReceiver = async (
  received: (request: IncomingMessage, body: string, response: ServerResponse) => void
): Promise<Receiver> => {
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.once("error", () => {})
    request.once("end", () => received(request, Buffer.concat(chunks).toString(), response))
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
