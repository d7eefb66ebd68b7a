import { Layer } from "effect"
import { HostedApiRoutes } from "./api/Routes.ts"
import { AppPageRoutes } from "./routes/AppPageRoutes.ts"
import { LogoRoutes } from "./routes/LogoRoutes.ts"
import { OperatorPageRoutes } from "./routes/OperatorPageRoutes.ts"
import { RealmPageRoutes } from "./routes/RealmPageRoutes.ts"
import { SocialRoutes } from "./routes/SocialRoutes.ts"
import { WellKnownRoutes } from "./routes/WellKnownRoutes.ts"

/**
 * All routes of hosted login. `publicUrl` is the URL of the service, where the pages of realms without an app are. `console` is
 * whether the console is served, and with it the pages on which operators log in.
 */
export const HostedRoutes = (options: { readonly publicUrl: string; readonly console: boolean }) =>
  Layer.mergeAll(
    RealmPageRoutes(options),
    HostedApiRoutes,
    AppPageRoutes,
    LogoRoutes,
    SocialRoutes,
    WellKnownRoutes,
    options.console ? OperatorPageRoutes : Layer.empty
  )
