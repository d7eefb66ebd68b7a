import { expect } from "vitest"
import type { Api, Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { OTHER_PASSWORD } from "./logins.ts"

/** Matches a one-time token with this prefix. */
export const tokenOf = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}[0-9A-Za-z]{43}$`))

/** The rejection of a token that doesn't exist, no longer exists, or has another purpose. */
export const UNUSABLE = [422, ["Token is invalid, has expired or has already been used."]]

const tokenIn = (reply: Reply, member: string): string => {
  if (reply.status !== 200) throw new Error(`A preparation failed: ${reply.status} ${reply.text}`)
  return reply.string(member)
}

/** A password reset token from v2. */
export const passwordToken = async (realm: GivenRealm, user: string): Promise<string> =>
  tokenIn(await realm.post(`/v2/users/${user}/generate_password_token`, undefined), "token")

/** A password reset token from v1. */
export const passwordTokenV1 = async (realm: GivenRealm, user: string): Promise<string> =>
  tokenIn(await realm.post(`/v1/users/${user}/generate_password_token`, undefined), "password_reset_token")

/** A token that verifies an email: the user's own email or, if that is verified, the pending one. */
export const emailToken = async (realm: GivenRealm, user: string): Promise<string> =>
  tokenIn(await realm.post(`/v2/users/${user}/request_email_verification`, undefined), "token")

/** The token in the email that a reset request causes, which the response doesn't show. */
export const mailedToken = async (realm: GivenRealm, user: string): Promise<string> => {
  const kind = (await emailToken(realm, user)).slice(0, 4)
  return String(await latestEventToken(realm, kind === "tue:" ? "user.email.updating" : "user.email.verifying"))
}

/** Resets a password with a token under v2. */
export const reset = (realm: GivenRealm, token: unknown, password: unknown = OTHER_PASSWORD, beside: object = {}) =>
  realm.post("/v2/users/reset_password_with_token", { user: { token, password, ...beside } })

/** Resets a password with a token under v1, by default for the token's user. */
export const resetV1 = (realm: GivenRealm, token: unknown, user = "--", password: unknown = OTHER_PASSWORD) =>
  realm.post(`/v1/users/${user}/reset_password_with_token`, { user: { token, password } })

/** Verifies an email with a token under v2. */
export const verifyEmail = (realm: GivenRealm, token: unknown) =>
  realm.post("/v2/users/verify_email", { user: { token } })

/** Verifies an email with a token under v1, by default for the token's user. */
export const verifyEmailV1 = (realm: GivenRealm, token: unknown, user = "--") =>
  realm.post(`/v1/users/${user}/verify_email`, { user: { token } })

/** Accepts an invitation for a user with its token. */
export const accept = (realm: Api, user: string, token: unknown, beside: object = {}) =>
  realm.post(`/v2/users/${user}/accept_invitation`, { user: { token, ...beside } })

/** The token in the latest event of a type, as a caller sees it: null if it is hidden or gone. */
export const latestEventToken = async (api: Api, type: string): Promise<unknown> =>
  (await api.get(`/v2/events?event_type=${type}&direction=desc&max_results=1`)).member("collection", 0, "token")
