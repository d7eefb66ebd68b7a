import type { FlowParams } from "../../FlowParams.ts"
import type { Texts } from "../../texts/en.ts"

/**
 * Why a page has led to the login (C105). `why`: what the page says of it, before a sensitive change (SEC-90) or after a form
 * whose session has ended; else the page alone, which is `next` of the flow, tells it. Undefined: nobody was led here.
 */
export const loginReason = ({ login }: Texts, { next }: FlowParams, why: string): string | undefined => {
  if (why === "proof") return login.proofNeeded
  if (why === "ended") return next === "profile" ? login.endedUnsaved : login.ended
  return new Map(Object.entries(login.toSee)).get(next ?? "")
}
