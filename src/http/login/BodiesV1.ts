import type { UserBody } from "#api/users/V1"
import type { LoginOutcome } from "#domain/Login"
import { membershipBody } from "../memberships/BodiesV1.ts"
import { retryMember } from "./Retry.ts"

/** A user with the login's token and, if `expanded`, with the memberships in the session. */
export const loginBody = (outcome: LoginOutcome, body: typeof UserBody.Type, expanded: boolean) => {
  const { token } = outcome._tag === "LoggedIn" ? outcome.login : outcome
  const memberships = outcome._tag === "LoggedIn" ? outcome.login.memberships : []
  return {
    ...body,
    token,
    ...retryMember(outcome),
    ...(expanded ? { memberships: memberships.map(membershipBody) } : {})
  }
}

/** Returns the user of a login. */
export const userOf = (outcome: LoginOutcome) => (outcome._tag === "LoggedIn" ? outcome.login.user : outcome.user)
