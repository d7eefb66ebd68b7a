import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { SeededRandom } from "../../test/harness/SeededRandom.ts"

/** A message, identified by its `webhook-id`, and counts of its deliveries. */
export interface Message {
  readonly id: string
  readonly eventId: string
  readonly eventType: string
  /** The number of times that the message was accepted. More than one means duplicates. */
  accepted: number
  /** The number of times that the message was rejected. */
  rejected: number
  /** The number of times that the message arrived with a body that differed from the first one. */
  altered: number
  readonly body: string
}

/** The receiver of the webhook. */
export interface Receiver {
  readonly url: string
  readonly messages: ReadonlyMap<string, Message>
  /** Descriptions of malformed requests. */
  readonly malformed: ReadonlyArray<string>
  readonly stop: () => void
}

/** The share of messages that are rejected at their first delivery. */
const REJECTED_SHARE = 0.005

/**
 * Only events younger than this (in milliseconds) are rejected. Their delivery is the first attempt, so that the retry
 * follows within seconds instead of minutes.
 */
const MAX_REJECTED_AGE = 20_000

/** Starts a receiver that records every message. It rejects some first deliveries with 500 or a broken connection. */
export const startReceiver = async (seed: number): Promise<Receiver> => {
  const random = new SeededRandom(seed, 1_000)
  const messages = new Map<string, Message>()
  const malformed: Array<string> = []

  const received = (id: string, body: string, response: ServerResponse) => {
    const event: { readonly id: string; readonly event_type: string; readonly event_at: number } = JSON.parse(body)
    const known = messages.get(id)
    const fails = random.next() < REJECTED_SHARE
    const breaksOff = random.next() < 0.5
    const message = known ?? {
      id,
      eventId: event.id,
      eventType: event.event_type,
      accepted: 0,
      rejected: 0,
      altered: 0,
      body
    }
    messages.set(id, message)
    if (message.body !== body) message.altered++
    if (fails && known === undefined && Date.now() - event.event_at * 1_000 < MAX_REJECTED_AGE) {
      message.rejected++
      if (breaksOff) response.destroy()
      else response.writeHead(500).end()
      return
    }
    message.accepted++
    response.writeHead(200).end()
  }

  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.once("error", () => {})
    request.once("end", () => {
      const id = request.headers["webhook-id"]
      const body = Buffer.concat(chunks).toString()
      try {
        if (typeof id !== "string") throw new Error("no webhook-id")
        received(id, body, response)
      } catch (error) {
        malformed.push(`${String(error)}: ${body.slice(0, 200)}`)
        response.writeHead(200).end()
      }
    })
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    messages,
    malformed,
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
