import { Context, Layer } from "effect"
import type { RealmId } from "#domain/Ids"
import { type OAuthEndpointName, oauthPath } from "#domain/oauth/OAuthPaths"

/**
 * Returns the issuer of a realm's tokens and the URLs of its endpoints. The issuer is the realm's URL in OIDC discovery (C31).
 */
export class Issuer extends Context.Service<
  Issuer,
  {
    /** Returns the `iss` claim of a realm's tokens. */
    of(realmId: RealmId): string
    /** Returns the URL of the realm's public keys. */
    jwksUri(realmId: RealmId): string
    /** Returns the URL of an OAuth endpoint of the realm. */
    endpoint(name: OAuthEndpointName, realmId: RealmId): string
  }
>()("sallyport/core/Issuer") {
  /** `configured` is a single issuer for all realms (C5). By default, each realm's issuer is its own URL. */
  static readonly layer = (options: { readonly publicUrl: string; readonly configured: string | undefined }) =>
    Layer.succeed(
      Issuer,
      Issuer.of({
        of: (realmId) => options.configured ?? `${options.publicUrl}/realms/${realmId}`,
        jwksUri: (realmId) => `${options.publicUrl}/realms/${realmId}/jwks`,
        endpoint: (name, realmId) => `${options.publicUrl}${oauthPath(name, realmId)}`
      })
    )
}
