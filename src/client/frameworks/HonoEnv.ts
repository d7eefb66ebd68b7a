import type { Session } from "./Session.ts"

/** The context variables after `requireSession`: `new Hono<SessionEnv>()`. */
export interface SessionEnv {
  Variables: { session: Session }
}

/** The context variables after `hostedLogin` or `readSession`. The session is null if nobody is logged in. */
export interface MaybeSessionEnv {
  Variables: { session: Session | null }
}
