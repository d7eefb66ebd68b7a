// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form } from "../../Form.ts"
import type { RequestInput } from "../types/RequestInput.ts"
import type { UserToken } from "../types/UserToken.ts"

/** The parameters of `POST /v1/user_tokens`. */
export interface CreateUserTokenV1 {
  /**
   * The username, unique in the realm regardless of case. It may contain spaces, except when people sign up themselves.
   * Ignored if people in the realm have no usernames. Default: none; under `/v1` required for people, and generated for
   * API users.
   */
  readonly username?: string | null | undefined
  /**
   * The email, unique in the realm unless it allows others, and stored in lower case. Required for people. Replaces the
   * email immediately; `email_verification` does not change.
   */
  readonly email?: string | null | undefined
  /** The first name. Default: none. */
  readonly first_name?: string | null | undefined
  /** The last name. Default: none. */
  readonly last_name?: string | null | undefined
  /**
   * The new password: 8 to 512 characters, or a higher minimum if the realm sets one; not a common password, and
   * without the names of the user or the realm.
   */
  readonly password?: string | null | undefined
  /** The new password again. If sent, it must match. Default: not compared. */
  readonly password_confirmation?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, according to the caller. Recorded with the request's events and with a session that it creates. Never
   * used for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** Signup tokens: the data of future users. */
export interface UserTokensV1<F extends Form> {
  /**
   * Get a signup token.
   *
   * Available as long as it is valid: for 24 hours, or until a user is created with it.
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
