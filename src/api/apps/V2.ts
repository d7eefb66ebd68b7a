import { Schema } from "effect"
import { describe } from "../Description.ts"
import { requestAttributes } from "../Wire.ts"
import { connectedApps } from "./Endpoints.ts"
import { Settings } from "./Fields.ts"

/** Connected apps of `/v2`, which calls them client apps. */
export class ConnectedAppsV2 extends connectedApps({
  group: "v2.client_apps",
  prefix: "/v2/client_apps",
  wrapper: "client_app",
  payload: Schema.Struct({ client_app: describe(Settings, "The app's settings."), ...requestAttributes })
}) {}
