import { expect } from "vitest"
import type { Api, Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { OTHER_PASSWORD } from "./logins.ts"

/** What a one-time token looks like, by its prefix. */
export const tokenOf = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}[0-9A-Za-z]{43}$`))

/** How any token is refused that is not there (any more) or is not meant for this. */
export const UNUSABLE = [422, ["Token is invalid, has expired or has already been used."]]

const tokenIn = (reply: Reply, member: string): string => {
  if (reply.status !== 200) throw new Error(`A preparation failed: ${reply.status} ${reply.text}`)
  return reply.string(member)
}

/** A token to set a new password by, as v2 hands it out. */
export const passwordToken = async (realm: GivenRealm, user: string): Promise<string> =>
  tokenIn(await realm.post(`/v2/users/${user}/generate_password_token`, undefined), "token")

/** The same as v1 hands it out. */
export const passwordTokenV1 = async (realm: GivenRealm, user: string): Promise<string> =>
  tokenIn(await realm.post(`/v1/users/${user}/generate_password_token`, undefined), "password_reset_token")

/** A token that proves an e-mail: the user's own or, where that is proved, the pending one. */
export const emailToken = async (realm: GivenRealm, user: string): Promise<string> =>
  tokenIn(await realm.post(`/v2/users/${user}/request_email_verification`, undefined), "token")

/** The token of the mail that such a request sends, which its answer does not show. */
export const mailedToken = async (realm: GivenRealm, user: string): Promise<string> => {
  const kind = (await emailToken(realm, user)).slice(0, 4)
  return String(await carried(realm, kind === "tue:" ? "user.email.updating" : "user.email.verifying"))
}

/** Sets a new password by a token under v2. */
export const reset = (realm: GivenRealm, token: unknown, password: unknown = OTHER_PASSWORD, beside: object = {}) =>
  realm.post("/v2/users/reset_password_with_token", { user: { token, password, ...beside } })

/** The same under v1; of the user of the token, unless one is named. */
export const resetV1 = (realm: GivenRealm, token: unknown, user = "--", password: unknown = OTHER_PASSWORD) =>
  realm.post(`/v1/users/${user}/reset_password_with_token`, { user: { token, password } })

/** Proves an e-mail by a token under v2. */
export const verifyEmail = (realm: GivenRealm, token: unknown) =>
  realm.post("/v2/users/verify_email", { user: { token } })

/** The same under v1; of the user of the token, unless one is named. */
export const verifyEmailV1 = (realm: GivenRealm, token: unknown, user = "--") =>
  realm.post(`/v1/users/${user}/verify_email`, { user: { token } })

/** Accepts an invitation for a user by its token. */
export const accept = (realm: Api, user: string, token: unknown, beside: object = {}) =>
  realm.post(`/v2/users/${user}/accept_invitation`, { user: { token, ...beside } })

/** The token that the latest event of a type carries, as a caller reads it: null where it is hidden or gone. */
export const carried = async (api: Api, type: string): Promise<unknown> =>
  (await api.get(`/v2/events?event_type=${type}&direction=desc&max_results=1`)).member("collection", 0, "token")
