import { retryBody } from "#api/login/Retry"
import type { LoginOutcome } from "#domain/Login"

/** The member `retry` of the answer to a login, where there is one. */
export const retryMember = (outcome: LoginOutcome): { readonly retry?: ReturnType<typeof retryBody> } =>
  outcome._tag === "LoggedIn" || outcome.enrolment === undefined ? {} : { retry: retryBody(outcome.enrolment) }
