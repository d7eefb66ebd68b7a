import { Layer } from "effect"
import { HostedApiRoutes } from "./api/Routes.ts"
import { AppPageRoutes } from "./routes/AppPageRoutes.ts"
import { LogoRoutes } from "./routes/LogoRoutes.ts"
import { RealmPageRoutes } from "./routes/RealmPageRoutes.ts"
import { SocialRoutes } from "./routes/SocialRoutes.ts"
import { WellKnownRoutes } from "./routes/WellKnownRoutes.ts"

/** All routes of hosted login. `publicUrl` is the URL of the service, where the pages of realms without an app are. */
export const HostedRoutes = (options: { readonly publicUrl: string }) =>
  Layer.mergeAll(RealmPageRoutes(options), HostedApiRoutes, AppPageRoutes, LogoRoutes, SocialRoutes, WellKnownRoutes)
