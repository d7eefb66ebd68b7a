import type { FlowParams } from "../../FlowParams.ts"
import type { FormValues } from "../../Form.ts"
import type { Texts } from "../../texts/en.ts"

/** Returns the reason in the login's URL. The forms pass it on until the login succeeds (C105). */
export const reasonIn = (values: FormValues): FlowParams => {
  const why = values("why")
  return why === "proof" || why === "ended" || why === "again" ? { why } : {}
}

/**
 * Returns the text that explains why a page redirected to the login (C105), or undefined if no page did. `why` is the reason
 * given by the page, such as a sensitive change (SEC-90) or an ended session. Without it, the text depends on the page
 * (`next`).
 */
export const loginReason = ({ login }: Texts, { next }: FlowParams, { why }: FlowParams): string | undefined => {
  if (why === "proof") return login.proofNeeded
  if (why === "again") return login.proofDue
  if (why === "ended") return next === "profile" || next === "security" ? login.endedUnsaved : login.ended
  return new Map(Object.entries(login.toSee)).get(next ?? "")
}
