// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A user token. */
export interface UserToken {
  /** The token itself, which begins with `utk_`. Valid for one user and 24 hours. */
  readonly id: string
  /** The type of the object: always `user_token`. */
  readonly object: "user_token"
  /** The username; null if none. */
  readonly username: string | null
  /** The email, in lower case; null if none. */
  readonly email: string | null
  /** The first name; null if none. */
  readonly first_name: string | null
  /** The last name; null if none. */
  readonly last_name: string | null
  /** The method by which the user will log in: always `password`. */
  readonly credential_type: "password"
}
