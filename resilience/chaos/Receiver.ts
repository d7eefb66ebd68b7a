import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Chance } from "./SeededRandom.ts"

/** What came of one message, under its `webhook-id`. */
export interface Message {
  readonly id: string
  readonly eventId: string
  readonly eventType: string
  /** How often it was taken: 2 and more are repeats. */
  taken: number
  /** How often it was turned away. */
  refused: number
  /** How often it came with another body than at first. */
  altered: number
  readonly body: string
}

/** Who the webhook leads to. */
export interface Receiver {
  readonly url: string
  readonly messages: ReadonlyMap<string, Message>
  /** Posts that were not what they should be, in words. */
  readonly odd: ReadonlyArray<string>
  readonly stop: () => void
}

/** The share of messages that are turned away at first. */
const REFUSED = 0.005

/**
 * Only what is this young, in milliseconds, is turned away: then it is the first attempt, and the next one comes after
 * seconds, not after minutes.
 */
const YOUNG = 20_000

/** Listens, notes what comes and takes it; sometimes, at first, it answers 500 or breaks off. */
export const listen = async (seed: number): Promise<Receiver> => {
  const chance = new Chance(seed, 1_000)
  const messages = new Map<string, Message>()
  const odd: Array<string> = []

  const received = (id: string, body: string, response: ServerResponse) => {
    const event: { readonly id: string; readonly event_type: string; readonly event_at: number } = JSON.parse(body)
    const known = messages.get(id)
    const fails = chance.next() < REFUSED
    const breaksOff = chance.next() < 0.5
    const message = known ?? {
      id,
      eventId: event.id,
      eventType: event.event_type,
      taken: 0,
      refused: 0,
      altered: 0,
      body
    }
    messages.set(id, message)
    if (message.body !== body) message.altered++
    if (fails && known === undefined && Date.now() - event.event_at * 1_000 < YOUNG) {
      message.refused++
      if (breaksOff) response.destroy()
      else response.writeHead(500).end()
      return
    }
    message.taken++
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
        odd.push(`${String(error)}: ${body.slice(0, 200)}`)
        response.writeHead(200).end()
      }
    })
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    messages,
    odd,
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
