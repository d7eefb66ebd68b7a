import { Schema } from "effect"
import { requestAttributes } from "../Wire.ts"
import { hooks } from "./Endpoints.ts"
import { Creation, Settings } from "./Fields.ts"

/** Hooks of `/v2`. */
export class HooksV2 extends hooks({
  version: "v2",
  prefix: "/v2/hooks",
  wrapper: "hook",
  creating: Schema.Struct({ hook: Creation, ...requestAttributes }),
  updating: Schema.Struct({ hook: Settings, ...requestAttributes })
}) {}
