// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { PasskeyCreationOptions } from "./PasskeyCreationOptions.ts"

/** A passkey creation challenge. */
export interface PasskeyCreationChallenge {
  /** The type of the object: always `passkey_options`. */
  readonly object: "passkey_options"
  /**
   * The token, which begins with `tpk:` and is valid for one accepted response within 10 minutes. A rejected response
   * does not use it up.
   */
  readonly token: string
  /**
   * What the page gives to `navigator.credentials.create()`, by `PublicKeyCredential.parseCreationOptionsFromJSON()`.
   */
  readonly options: PasskeyCreationOptions
}
