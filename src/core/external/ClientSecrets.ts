import { Effect } from "effect"
import type { ExternalProvider } from "#domain/AuthProvider"
import { appleClientSecret } from "./providers/AppleClientSecret.ts"

/**
 * Returns the client secret to send to a provider, or null if the stored one is unusable. `stored` is null if it can't be
 * decrypted.
 */
export const clientSecretOf = (provider: ExternalProvider, stored: string | null | undefined) =>
  provider.providerType === "apple" && typeof stored === "string"
    ? appleClientSecret(provider, stored)
    : Effect.succeed(stored ?? null)
