import type { Session } from "./Session.ts"

declare global {
  namespace Express {
    interface Request {
      /**
       * The session of the request, set by `hostedLogin`, `requireSession` or `readSession`. Except with
       * `requireSession`, it is null if nobody is logged in.
       */
      session?: Session | null
    }
  }
}

/** The parts of a request that the handlers read. Compatible with Express 4 and 5, Connect and Node's own server. */
export interface ExpressRequest {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  session?: Session | null
}

/** The parts of a response that are used. */
export interface ExpressResponse {
  statusCode: number
  setHeader(name: string, value: string): unknown
  getHeader(name: string): number | string | Array<string> | undefined
  appendHeader(name: string, value: string | ReadonlyArray<string>): unknown
  removeHeader(name: string): unknown
  end(text: string): unknown
}

/** An Express handler. */
export type ExpressHandler = (
  request: ExpressRequest,
  response: ExpressResponse,
  next: (error?: unknown) => void
) => void
