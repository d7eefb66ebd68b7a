import { Schema } from "effect"
import { describe } from "../Description.ts"
import { EmptyBody, requestAttributes } from "../Wire.ts"
import { hooks } from "./Endpoints.ts"
import { creation, Settings } from "./Fields.ts"

/** Hooks of `/v1`. */
export class HooksV1 extends hooks({
  version: "v1",
  prefix: "/v1/app_hooks",
  wrapper: "app_hook",
  creating: Schema.Struct({
    app_hook: describe(
      creation("Default: the key's realm, or null if it has none.", "NewHookV1"),
      "The new hook, with the members of its type."
    ),
    ...requestAttributes
  }),
  updating: Schema.Struct({
    app_hook: describe(Settings, "The changes, with members that apply to its type."),
    ...requestAttributes
  }),
  pinging: EmptyBody
}) {}
