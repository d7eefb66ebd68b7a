import { retryBody } from "#api/login/Retry"
import type { LoginOutcome } from "#domain/Login"

/** The `retry` member of the response to a login, if it applies. */
export const retryMember = (outcome: LoginOutcome): { readonly retry?: ReturnType<typeof retryBody> } =>
  outcome._tag === "LoggedIn" || outcome.enrolment === undefined ? {} : { retry: retryBody(outcome.enrolment) }
