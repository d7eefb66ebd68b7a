import { Schema } from "effect"
import { requestAttributes } from "../Wire.ts"
import { hooks } from "./Endpoints.ts"
import { Creation, Settings } from "./Fields.ts"

/** Hooks of `/v1`. */
export class HooksV1 extends hooks({
  version: "v1",
  prefix: "/v1/app_hooks",
  wrapper: "app_hook",
  creating: Schema.Struct({ app_hook: Creation, ...requestAttributes }),
  updating: Schema.Struct({ app_hook: Settings, ...requestAttributes })
}) {}
