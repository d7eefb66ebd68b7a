import type { FlowParams } from "../../FlowParams.ts"
import type { FormValues } from "../../Form.ts"
import type { Texts } from "../../texts/en.ts"

/** The reason in the URL of the login, which its forms pass on until the login succeeds (C105). */
export const reasonIn = (values: FormValues): FlowParams => {
  const why = values("why")
  return why === "proof" || why === "ended" || why === "again" ? { why } : {}
}

/**
 * The text that explains why a page has led to the login (C105). `why`: the reason that the page gave, such as a sensitive
 * change (SEC-90) or an ended session; otherwise the text depends on the page (`next`). Undefined: no page has led here.
 */
export const loginReason = ({ login }: Texts, { next }: FlowParams, { why }: FlowParams): string | undefined => {
  if (why === "proof") return login.proofNeeded
  if (why === "again") return login.proofDue
  if (why === "ended") return next === "profile" || next === "security" ? login.endedUnsaved : login.ended
  return new Map(Object.entries(login.toSee)).get(next ?? "")
}
