import { Context, Layer } from "effect"
import type { RealmId } from "#domain/Ids"

/** Who tokens say they are from: the realm's issuer URL, the one its OIDC discovery states (decision 31). */
export class Issuer extends Context.Service<
  Issuer,
  {
    /** The `iss` of a realm's tokens. */
    of(realmId: RealmId): string
    /** Where the realm's public keys are. */
    jwksUri(realmId: RealmId): string
  }
>()("sallyport/core/Issuer") {
  /** `configured`: an issuer set for all realms (decision 5), else each realm's own URL under the public one. */
  static readonly layer = (options: { readonly publicUrl: string; readonly configured: string | undefined }) =>
    Layer.succeed(
      Issuer,
      Issuer.of({
        of: (realmId) => options.configured ?? `${options.publicUrl}/realms/${realmId}`,
        jwksUri: (realmId) => `${options.publicUrl}/realms/${realmId}/jwks`
      })
    )
}
