// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Answer, Call, CallOptions, Form } from "../../Form.ts"
import type { Credential } from "../types/Credential.ts"
import type { PasskeyCreationResponse } from "../types/PasskeyCreationResponse.ts"
import type { RequestInput } from "../types/RequestInput.ts"

/** The parameters of `PUT /v1/credentials/{credential_id}`. */
export interface UpdateCredentialV1 {
  /**
   * The new password: 8 to 512 characters, or a higher minimum if the realm sets one. It can't be a common password or
   * contain the names of the user or the realm.
   */
  readonly password?: string | null | undefined
  /** The new password again, which must match. Default: no confirmation. */
  readonly password_confirmation?: string | null | undefined
  /**
   * A password's hash from another system, instead of `password`. Accepted: argon2id, argon2i, argon2d, bcrypt, scrypt,
   * PBKDF2 (SHA-1, SHA-256, SHA-512), SSHA, phpass, Firebase-scrypt, as PHC strings or in these systems' own formats.
   * At the next login, the service replaces it with its own hash.
   */
  readonly password_hash?: string | null | undefined
  /**
   * For an API key: 20 to 255 visible ASCII characters with at least 10 different ones, or `generate` to generate a
   * key. Default: a key is generated; in an update, unchanged.
   */
  readonly api_key?: string | null | undefined
  /** For an authenticator app or a passkey: the user's name for it. Required for a new authenticator app. */
  readonly name?: string | null | undefined
  /** For a profile at a provider: the user's ID there. Required for a new one. */
  readonly provider_user_id?: string | null | undefined
  /**
   * For a profile at a provider: an access token. It is stored for your use; the service doesn't use it. Default: none.
   */
  readonly access_token?: string | null | undefined
  /** For a profile at a provider: Unix time in seconds at which the access token expires. Default: none. */
  readonly token_expires_at?: number | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v1/credentials`. */
export interface CreateCredentialV1 {
  /** The user's ID. Can't be changed later. */
  readonly user_id: string
  /**
   * The type of the credential: `password`, `totp` (authenticator app), `api_key` (for API users only), `passkey`,
   * `recovery_codes` (ten one-time codes to use instead of an authenticator app; they replace the user's previous
   * codes), or the type of the provider that the user's profile belongs to.
   */
  readonly credential_type:
    | "api_key"
    | "password"
    | "totp"
    | "passkey"
    | "recovery_codes"
    | "apple"
    | "facebook"
    | "github"
    | "google"
    | "linkedin"
    | "microsoft"
    | "oauth2"
    | "oidc"
    | "slack"
    | "yahoo"
  /**
   * For an authenticator app or a profile at a provider: the auth provider's ID. Default: the realm's only provider of
   * that type; required if there are several of type `oauth2`.
   */
  readonly auth_provider_id?: string | null | undefined
  /**
   * The new password: 8 to 512 characters, or a higher minimum if the realm sets one. It can't be a common password or
   * contain the names of the user or the realm.
   */
  readonly password?: string | null | undefined
  /** The new password again, which must match. Default: no confirmation. */
  readonly password_confirmation?: string | null | undefined
  /**
   * A password's hash from another system, instead of `password`. Accepted: argon2id, argon2i, argon2d, bcrypt, scrypt,
   * PBKDF2 (SHA-1, SHA-256, SHA-512), SSHA, phpass, Firebase-scrypt, as PHC strings or in these systems' own formats.
   * At the next login, the service replaces it with its own hash.
   */
  readonly password_hash?: string | null | undefined
  /**
   * For an API key: 20 to 255 visible ASCII characters with at least 10 different ones, or `generate` to generate a
   * key. Default: a key is generated; in an update, unchanged.
   */
  readonly api_key?: string | null | undefined
  /** For an authenticator app or a passkey: the user's name for it. Required for a new authenticator app. */
  readonly name?: string | null | undefined
  /** For a profile at a provider: the user's ID there. Required for a new one. */
  readonly provider_user_id?: string | null | undefined
  /**
   * For a profile at a provider: an access token. It is stored for your use; the service doesn't use it. Default: none.
   */
  readonly access_token?: string | null | undefined
  /** For a profile at a provider: Unix time in seconds at which the access token expires. Default: none. */
  readonly token_expires_at?: number | null | undefined
  /** For a passkey: the token returned by `passkey_options`, `tpk:…`. Required. */
  readonly token?: string | null | undefined
  /** For a passkey: the result of `navigator.credentials.create()`, as its `toJSON()`. Required. */
  readonly response?: PasskeyCreationResponse | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The parameters of `POST /v1/credentials/{credential_id}/verify`. */
export interface VerifyCredentialV1 {
  /**
   * The six-digit code that the app shows. It works once, in its 30-second period and the periods before and after it.
   * Required.
   */
  readonly code?: string | null | undefined
  /** The ID of the realm. Default: the realm of the options, of the client, or of the key. */
  readonly realm_id?: string | undefined
  /**
   * The person that the caller acts for. Recorded in the request's events and in a session that it creates. Never used
   * for decisions.
   */
  readonly request?: RequestInput | undefined
}

/** The credentials that users log in with: passwords, authenticator apps, API keys and profiles at providers. */
export interface CredentialsV1<F extends Form> {
  /**
   * Get a credential.
   *
   * Includes the members of the credential's type and, for keys of level `write` and above, its secrets.
   *
   * Requires an API key of level `read`.
   */
  get(credentialId: string, options?: CallOptions): Answer<F, Credential>
  /**
   * Update a credential.
   *
   * Changes only the members you send, if they apply to the credential's type. A new password ends the user's sessions;
   * a new API key is shown only once. Events: `user.updated`, except when only a provider's token changes;
   * `session.deleted` for each session.
   *
   * Requires an API key of level `write`.
   */
  update(credentialId: string, credential: UpdateCredentialV1, options?: CallOptions): Answer<F, Credential>
  /**
   * Delete a credential.
   *
   * Does not end the user's sessions. Event: `user.updated`.
   *
   * Requires an API key of level `write`.
   */
  delete(credentialId: string, options?: CallOptions): Answer<F, void>
  /**
   * Create a credential.
   *
   * API keys are for API users; all other types are for human users. If the API key is missing or `generate`, a key is
   * generated and shown only once. A TOTP device is `new` at first, and is used in logins once it has been verified.
   * Event: `user.updated`.
   *
   * Requires an API key of level `write`.
   */
  create(credential: CreateCredentialV1, options?: CallOptions): Answer<F, Credential>
  /**
   * Verify a TOTP device.
   *
   * Checks a code, which can't be used again. A `new` device becomes `active`. Event, if the device's state changes:
   * `user.updated`.
   *
   * Requires an API key of level `write`.
   */
  verify(credentialId: string, credential: VerifyCredentialV1, options?: CallOptions): Answer<F, Credential>
}

/** Creates the resource's functions from a function that calls the API. */
export const credentials = <F extends Form>(call: Call<F>): CredentialsV1<F> => ({
  get: (credentialId, options) =>
    call.one({ route: "GET /v1/credentials/{credential_id}" }, [credentialId], undefined, options),
  update: (credentialId, credential, options) =>
    call.one(
      { route: "PUT /v1/credentials/{credential_id}", wrapper: "credential" },
      [credentialId],
      credential,
      options
    ),
  delete: (credentialId, options) =>
    call.one({ route: "DELETE /v1/credentials/{credential_id}" }, [credentialId], undefined, options),
  create: (credential, options) =>
    call.one({ route: "POST /v1/credentials", wrapper: "credential", isCreate: true }, [], credential, options),
  verify: (credentialId, credential, options) =>
    call.one(
      { route: "POST /v1/credentials/{credential_id}/verify", wrapper: "credential" },
      [credentialId],
      credential,
      options
    )
})
