// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { PasskeyCreationOptions } from "./PasskeyCreationOptions.ts"

/** A passkey creation challenge. */
export interface PasskeyCreationChallenge {
  /** The type of the object: always `passkey_options`. */
  readonly object: "passkey_options"
  /**
   * The token, which begins with `tpk:` and takes one accepted answer within 10 minutes. A refused answer leaves it
   * usable.
   */
  readonly token: string
  /**
   * What the page gives to `navigator.credentials.create()`, by `PublicKeyCredential.parseCreationOptionsFromJSON()`.
   */
  readonly options: PasskeyCreationOptions
}
