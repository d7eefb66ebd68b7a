import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import {
  AccountAccess,
  AllProblems,
  ErrorResponses,
  Idempotency,
  LongRunning,
  NullRealm,
  RequiredLevel,
  Resource,
  RulesFirst,
  Wrapper
} from "../Access.ts"
import { describe } from "../Description.ts"
import { maybe, requestAttributes } from "../Wire.ts"
import { hooks, MailPreviewBody } from "./Endpoints.ts"
import { creation, MailSettings, previewedEvent, Settings } from "./Fields.ts"

/** A preview of an email hook's email (C207). */
const preview = HttpApiEndpoint.post("preview", "/v2/hooks/preview", {
  disableCodecs: true,
  payload: Schema.Struct({
    hook: describe(MailSettings, "The email hook to preview, with the members of a new hook. It is not created."),
    event_id: previewedEvent,
    ...requestAttributes
  }),
  success: MailPreviewBody
})
  .annotate(LongRunning, true)
  .annotate(RequiredLevel, "admin_realm")
  .annotate(Wrapper, "hook")
  .annotate(RulesFirst, true)
  .annotate(Resource, "hook")
  .annotate(NullRealm, true)
  .middleware(AllProblems)
  .middleware(Idempotency)
  .middleware(AccountAccess)
  .middleware(ErrorResponses)

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
    hook: describe(Settings, "The changes, with members that apply to its type."),
    ...requestAttributes
  }),
  pinging: Schema.Struct({
    hook: describe(
      maybe(
        Schema.Struct({
          email_to: describe(
            maybe(Schema.String),
            "The address that gets an email hook's test. Default: the hook's `email_to`. Required if the hook has none.",
            { format: "email", maxLength: 254 }
          )
        })
      ),
      "The recipient of the test. Not needed for a webhook."
    ),
    ...requestAttributes
  })
}).add(preview) {}
