import type { Session } from "./Session.ts"

declare global {
  namespace Express {
    interface Request {
      /** Who makes the request: set by `requireSession` and `readSession`, which sets null for nobody. */
      session?: Session | null
    }
  }
}

/** What of a request is read, so that Express 4 and 5, Connect and Node's own server fit. */
export interface ExpressRequest {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  session?: Session | null
}

/** What of a response is used. */
export interface ExpressResponse {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(text: string): unknown
}

/** A handler of Express. */
export type ExpressHandler = (
  request: ExpressRequest,
  response: ExpressResponse,
  next: (error?: unknown) => void
) => void
