import { holdNewSpace } from "#server/HeapGrowth"
import { laterCallerError } from "./CallerError.ts"
import type { Started } from "./Started.ts"
import type { StartOptions } from "./TestOptions.ts"

export { Authenticator, type AuthenticatorOptions, type Ceremony, type Passkey } from "./Authenticator.ts"
export type { Browser, Page } from "./Browser.ts"
export type { FakeProvider, ProviderFailure } from "./FakeProvider.ts"
export type { Person } from "./FakeResponses.ts"
export type { TestApp, TestLogin, TestRealm } from "./Realm.ts"
export type { CapturedMail, CapturedPost, Started, Step } from "./Started.ts"
export type { StartOptions as TestOptions } from "./TestOptions.ts"
export type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions
} from "./WebAuthnJson.ts"

/**
 * Starts a service on its own port. By default, its database is in memory. The first start in a process also loads the service's
 * code. Loading and starting create many objects that stay, for which V8 would otherwise reserve 50 MB more.
 */
export const start = async (options: StartOptions = {}): Promise<Started> => {
  const refusal = laterCallerError(start)
  const release = holdNewSpace()
  try {
    const { startService } = await import("./Started.ts")
    return await startService(options, refusal)
  } finally {
    release()
  }
}
