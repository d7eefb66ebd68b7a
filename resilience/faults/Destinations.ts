import { createServer as createHttpServer, type RequestListener } from "node:http"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { startMailServer } from "../../test/server/MailServer.ts"
import { startTcpSwitch } from "./TcpSwitch.ts"

/** A message as received. */
export interface ReceivedMessage {
  readonly messageId: string
  readonly eventId: string
  readonly userId: string
  /** The milliseconds since the event. */
  readonly after: number
}

/** A receiver that can be unavailable, and the messages it accepted afterwards. */
export interface Destination {
  readonly name: string
  readonly url: string
  readonly accepted: Array<ReceivedMessage>
  /** Accepts everything from now on. */
  readonly recover: () => Promise<void>
  readonly stop: () => void
}

const listen = async (server: Server, port = 0): Promise<number> => {
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done))
  return (server.address() as AddressInfo).port
}

/** Starts a TCP server. Returns it with a function that closes it and its connections. */
const tcp = (speak: (socket: Socket) => void) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
    speak(socket)
  })
  const stop = () => {
    server.close()
    sockets.forEach((socket) => socket.destroy())
  }
  return { server, stop }
}

const hangs = () => tcp((socket) => socket.resume())

/** Starts a response and sends one byte of it per second, forever. */
const drips = () =>
  tcp((socket) => {
    socket.resume()
    socket.write("HTTP/1.1 200 OK\r\nx-padding: ")
    const timer = setInterval(() => socket.write("x"), 1_000)
    socket.once("close", () => clearInterval(timer))
  })

const httpServer = (answer: RequestListener) => {
  const server = createHttpServer(answer)
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { server, stop }
}

const fails = () =>
  httpServer((request, response) => request.resume().once("end", () => response.writeHead(500).end("No.")))

/** Accepts and records every message. */
const takes = (accepted: Array<ReceivedMessage>) =>
  httpServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.once("error", () => {})
    request.once("end", () => {
      const event: { readonly id: string; readonly user_id: string; readonly event_at: number } = JSON.parse(
        Buffer.concat(chunks).toString()
      )
      const messageId = String(request.headers["webhook-id"])
      const after = Date.now() - event.event_at * 1_000
      accepted.push({ messageId, eventId: event.id, userId: event.user_id, after })
      response.writeHead(200).end()
    })
  })

/** The ways in which receivers are unavailable. A receiver that refuses connections doesn't listen at all. */
const faults = { hangs, drips, fails, refuses: undefined }

/** A receiver that accepts every message from the start. */
export const healthyDestination = async (): Promise<Destination> => {
  const accepted: Array<ReceivedMessage> = []
  const { server, stop } = takes(accepted)
  return {
    name: "healthy",
    url: `http://127.0.0.1:${await listen(server)}/hook`,
    accepted,
    recover: async () => {},
    stop
  }
}

/** Receivers that are unavailable, each in a different way. */
export const absentDestinations = (): Promise<ReadonlyArray<Destination>> =>
  Promise.all(
    Object.entries(faults).map(async ([name, away]): Promise<Destination> => {
      const accepted: Array<ReceivedMessage> = []
      const [absent, present] = [away?.() ?? hangs(), takes(accepted)]
      const port = await listen(absent.server)
      if (away === undefined) absent.stop()
      const recover = async () => {
        absent.stop()
        await listen(present.server, port)
      }
      const stop = () => {
        absent.stop()
        present.stop()
      }
      return { name, url: `http://127.0.0.1:${port}/hook`, accepted, recover: recover, stop }
    })
  )

/** A mail server that accepts connections and stays silent until it comes back. */
export const absentMailServer = async () => {
  const { server, stop: stopHanging } = hangs()
  const accepted: Array<string> = []
  const real = await startMailServer({
    onData: (stream, { envelope }, done) => {
      stream.resume()
      stream.once("end", () => {
        accepted.push(...envelope.rcptTo.map(({ address }) => address))
        done(null, "Taken.")
      })
    }
  })
  const address = await startTcpSwitch(await listen(server))
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    /** The recipients of the accepted emails. */
    took: accepted,
    recover: () => address.moveTo(Number(new URL(`smtp://${real.address}`).port)),
    stop: async () => {
      address.stop()
      stopHanging()
      await real.stop()
    }
  }
}
