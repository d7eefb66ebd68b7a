// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { PasskeyRequestOptions } from "./PasskeyRequestOptions.ts"

/** A passkey login challenge. */
export interface PasskeyLoginChallenge {
  /** The type of the object: always `passkey_options`. */
  readonly object: "passkey_options"
  /**
   * The token, which begins with `tpk:`. It is valid for 10 minutes and one response, even if the response is rejected.
   */
  readonly token: string
  /**
   * The argument of `navigator.credentials.get()`, after parsing by
   * `PublicKeyCredential.parseRequestOptionsFromJSON()`.
   */
  readonly options: PasskeyRequestOptions
}
