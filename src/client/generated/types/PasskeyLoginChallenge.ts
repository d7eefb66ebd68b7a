// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { PasskeyRequestOptions } from "./PasskeyRequestOptions.ts"

/** A passkey login challenge. */
export interface PasskeyLoginChallenge {
  /** The type of the object: always `passkey_options`. */
  readonly object: "passkey_options"
  /** The token, which begins with `tpk:` and is valid for one response within 10 minutes, even if it is rejected. */
  readonly token: string
  /** What the page gives to `navigator.credentials.get()`, by `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
  readonly options: PasskeyRequestOptions
}
