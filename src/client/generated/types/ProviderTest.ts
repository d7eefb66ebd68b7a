// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { ProviderCheck } from "./ProviderCheck.ts"

/** A provider test. */
export interface ProviderTest {
  /** The type of the object: always `auth_provider_test`. */
  readonly object: "auth_provider_test"
  /** The result of the test: `completed` if no check failed, otherwise `failed`. */
  readonly state: "completed" | "failed"
  /** Each check. */
  readonly checks: ReadonlyArray<ProviderCheck>
}
