import type { IncomingMessage, Server } from "node:http"

/** The time limit for receiving a request body, and the interval between checks. */
const BODY_MILLIS = 30_000
const CHECK_MILLIS = 5_000

/** The error code that Node uses for requests that take too long. */
export const REQUEST_TIMEOUT = "ERR_HTTP_REQUEST_TIMEOUT"

/** The requests that are exempt from the limit, and a clock in milliseconds. */
interface BodyLimits {
  readonly isExempt: (url: string) => boolean
  readonly elapsed: () => number
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/** Ends requests whose bodies take too long to arrive. Node's own `requestTimeout` allows no exemptions. */
export const limitBodies = (server: Server, { isExempt, elapsed }: BodyLimits): void => {
  const arriving = new Map<IncomingMessage, number>()
  const check = () => {
    const now = elapsed()
    for (const [request, due] of arriving) {
      // The map is in order of arrival, so all further requests are due later.
      if (due > now) return
      arriving.delete(request)
      if (request.complete) continue
      const error = Object.assign(new Error("The body took too long."), { code: REQUEST_TIMEOUT })
      server.emit("clientError", error, request.socket)
    }
  }
  let timer: NodeJS.Timeout | undefined
  server
    .on("listening", () => {
      timer = setInterval(check, CHECK_MILLIS).unref()
    })
    .on("close", () => clearInterval(timer))
    .on("request", (request) => {
      if (!hasBody(request) || isExempt(request.url ?? "/")) return
      arriving.set(request, elapsed() + BODY_MILLIS)
      request.once("close", () => arriving.delete(request))
    })
}
