// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form } from "../../Form.ts"
import type { RequestInput } from "../types/RequestInput.ts"
import type { UserToken } from "../types/UserToken.ts"

/** The parameters of `POST /v1/user_tokens`. */
export interface CreateUserTokenV1 {
  /**
   * The username, unique in the realm regardless of case. It may contain spaces, except when people sign up themselves.
   * Ignored if people in the realm have no usernames. Under `/v1`, it is required for people and generated for API
   * users by default. Default: none.
   */
  readonly username?: string | null | undefined
  /**
   * The email, stored in lower case. It must be unique in the realm, unless the realm allows shared emails. Required
   * for people. Replaces the email immediately; `email_verification` does not change.
   */
  readonly email?: string | null | undefined
  /** The first name. Default: none. */
  readonly first_name?: string | null | undefined
  /** The last name. Default: none. */
  readonly last_name?: string | null | undefined
  /**
   * The new password: 8 to 512 characters, or a higher minimum if the realm sets one. It can't be a common password or
   * contain the names of the user or the realm.
   */
  readonly password?: string | null | undefined
  /** The new password again, which must match. Default: no confirmation. */
  readonly password_confirmation?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** Signup tokens: the data of future users. */
export interface UserTokensV1<F extends Form> {
  /**
   * Get a signup token.
   *
   * A token is available while it is valid: for 24 hours, or until a user is created with it.
   *
   * Requires an API key of level `read`.
   */
  get(tokenId: string, options?: CallOptions): Answer<F, UserToken>
  /**
   * Create a signup token.
   *
   * Stores the data of a person who may become a user, validated as for a new user. Records no event.
   *
   * Requires an API key of level `write`.
   */
  create(userToken: CreateUserTokenV1, options?: CallOptions): Answer<F, UserToken>
}

/** Creates the resource's functions from a function that calls the API. */
export const userTokens = <F extends Form>(call: Call<F>): UserTokensV1<F> => ({
  get: (tokenId, options) => call.one({ route: "GET /v1/user_tokens/{token_id}" }, [tokenId], undefined, options),
  create: (userToken, options) =>
    call.one({ route: "POST /v1/user_tokens", wrapper: "user_token", isCreate: true }, [], userToken, options)
})
