import { Layer } from "effect"
import { AppPageRoutes } from "./AppPageRoutes.ts"
import { HostedApiRoutes } from "./api/Routes.ts"
import { LogoRoutes } from "./LogoRoutes.ts"
import { RealmPageRoutes } from "./RealmPageRoutes.ts"
import { SocialRoutes } from "./SocialRoutes.ts"
import { WellKnownRoutes } from "./WellKnownRoutes.ts"

/** Every route of hosted login. `publicUrl`: of the service, where the pages of realms without an app are. */
export const HostedRoutes = (options: { readonly publicUrl: string }) =>
  Layer.mergeAll(RealmPageRoutes(options), HostedApiRoutes, AppPageRoutes, LogoRoutes, SocialRoutes, WellKnownRoutes)
