import type { EndpointResponse, Outcome } from "./Calls.ts"

/** The results of a module: plain values by which two providers are compared. */
export type Facts = Readonly<Record<string, unknown>>

/** The target and parameters of an outcome, and the number of logins on the way. */
export const facts = (outcome: Outcome): Facts => {
  if (outcome.to === "page") return { to: "page", status: outcome.status }
  const { by, got, arrived } = outcome
  const { error, state } = got
  return {
    to: "client",
    by,
    got: Object.keys(got)
      .filter((name) => name !== "error_description")
      .toSorted(),
    ...(error === undefined ? {} : { error }),
    state,
    logins: arrived.asked.logins
  }
}

/** Shows whether a code was issued and how many logins it took. */
export const codeFacts = (outcome: Outcome): Facts => {
  if (outcome.to === "page") return facts(outcome)
  const { to, error, got, logins } = facts(outcome)
  return { to, ...(error === undefined ? {} : { error }), code: Array.isArray(got) && got.includes("code"), logins }
}

/** The status and error code of a response. */
export const responseFacts = ({ status, body }: EndpointResponse): Facts => {
  const { error } = body
  return { status, ...(error === undefined ? {} : { error }) }
}

/** The names of the claims that have a value. */
export const claimNames = (claims: object): ReadonlyArray<string> =>
  Object.entries(claims)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name]) => name)
    .toSorted()
