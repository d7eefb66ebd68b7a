// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { PasskeyCreationOptions } from "./PasskeyCreationOptions.ts"

/** A passkey creation challenge. */
export interface PasskeyCreationChallenge {
  /** The type of the object: always `passkey_options`. */
  readonly object: "passkey_options"
  /**
   * The token, which begins with `tpk:`. It is valid for 10 minutes and one accepted response. Rejected responses don't
   * count.
   */
  readonly token: string
  /**
   * The argument of `navigator.credentials.create()`, after parsing by
   * `PublicKeyCredential.parseCreationOptionsFromJSON()`.
   */
  readonly options: PasskeyCreationOptions
}
