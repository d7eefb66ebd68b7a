// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form } from "../../Form.ts"
import type { RequestInput } from "../types/RequestInput.ts"
import type { UserToken } from "../types/UserToken.ts"

/** The parameters of `POST /v1/user_tokens`. */
export interface CreateUserTokenV1 {
  /**
   * The username, unique in the realm whatever its case. It may contain spaces; people who sign up themselves choose
   * one without. Ignored if people in the realm have no usernames. Default: none; under `/v1` required for people, and
   * generated for API users.
   */
  readonly username?: string | null | undefined
  /**
   * The e-mail, unique in the realm unless it allows others, and stored in lower case. Required for people. Replaces
   * the e-mail at once; its verification stays as it is.
   */
  readonly email?: string | null | undefined
  /** The first name. Default: none. */
  readonly first_name?: string | null | undefined
  /** The last name. Default: none. */
  readonly last_name?: string | null | undefined
  /**
   * The new password: 8 to 512 characters, or more than 8 where the realm says so; not a common one, and without the
   * names of the user and the realm.
   */
  readonly password?: string | null | undefined
  /** The new password again. If sent, it must be the same. Default: not compared. */
  readonly password_confirmation?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * Who acts, as the caller knows it. Recorded with the events of the request, and with a session that it begins. Never
   * used to decide anything.
   */
  readonly request?: RequestInput | undefined
}

/** Signup tokens: the data of future users. */
export interface UserTokensV1<F extends Form> {
  /**
   * Get a signup token.
   *
   * Available as long as it can be used: for 24 hours, or until a user is created with it.
   *
   * Requires a key of level `read`.
   */
  get(tokenId: string, options?: CallOptions): Answer<F, UserToken>
  /**
   * Create a signup token.
   *
   * Stores the data of a person who may become a user, validated as for a new user. Records no event.
   *
   * Requires a key of level `write`.
   */
  create(userToken: CreateUserTokenV1, options?: CallOptions): Answer<F, UserToken>
}

/** Creates the resource's functions from a function that calls the API. */
export const userTokens = <F extends Form>(call: Call<F>): UserTokensV1<F> => ({
  get: (tokenId, options) => call.one({ route: "GET /v1/user_tokens/{token_id}" }, [tokenId], undefined, options),
  create: (userToken, options) =>
    call.one({ route: "POST /v1/user_tokens", wrapper: "user_token", isCreate: true }, [], userToken, options)
})
