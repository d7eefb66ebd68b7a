import type { FlowParams } from "../../FlowParams.ts"
import type { FormValues } from "../../Form.ts"
import type { Texts } from "../../texts/en.ts"

/** The reasons that a page gives in the address of the login. They stay in its forms until the login succeeds (C105). */
export const reasonIn = (values: FormValues): FlowParams => {
  const why = values("why")
  return why === "proof" || why === "ended" || why === "again" ? { why } : {}
}

/**
 * Why a page has led to the login (C105). `why`: what the page says of it, before a sensitive change (SEC-90) or after a form
 * whose session has ended; else the page alone, which is `next` of the flow, tells it. Undefined: nobody was led here.
 */
export const loginReason = ({ login }: Texts, { next }: FlowParams, { why }: FlowParams): string | undefined => {
  if (why === "proof") return login.proofNeeded
  if (why === "again") return login.proofDue
  if (why === "ended") return next === "profile" || next === "security" ? login.endedUnsaved : login.ended
  return new Map(Object.entries(login.toSee)).get(next ?? "")
}
