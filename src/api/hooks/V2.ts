import { Schema } from "effect"
import { describe } from "../Description.ts"
import { requestAttributes } from "../Wire.ts"
import { hooks } from "./Endpoints.ts"
import { creation, Settings } from "./Fields.ts"

/** Hooks of `/v2`. */
export class HooksV2 extends hooks({
  version: "v2",
  prefix: "/v2/hooks",
  wrapper: "hook",
  creating: Schema.Struct({
    hook: describe(
      creation("Required, unless the key is locked to a realm.", "NewHook"),
      "The new hook, with the members of its type."
    ),
    ...requestAttributes
  }),
  updating: Schema.Struct({
    hook: describe(Settings, "What to change, of the members of its type."),
    ...requestAttributes
  })
}) {}
