import type { OpenIdLoginOptions } from "./LoginOptions.ts"
import { LoginMisconfigured } from "./LoginOptions.ts"
import type { ProviderSource } from "./LoginProvider.ts"

export const openIdProvider = (_: OpenIdLoginOptions): ProviderSource => {
  throw new LoginMisconfigured("not yet")
}
