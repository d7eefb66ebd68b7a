import { Schema } from "effect"
import { describe } from "../Description.ts"
import { requestAttributes } from "../Wire.ts"
import { connectedApps } from "./Endpoints.ts"
import { Settings } from "./Fields.ts"

/** Connected apps of `/v1`, which calls them login policies. */
export class ConnectedAppsV1 extends connectedApps({
  group: "v1.login_policies",
  prefix: "/v1/login_policies",
  wrapper: "login_policy",
  payload: Schema.Struct({ login_policy: describe(Settings, "The app's settings."), ...requestAttributes })
}) {}
