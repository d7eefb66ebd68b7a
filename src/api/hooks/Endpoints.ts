import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { emailRenderers, hookStates, hookTypes, hookUserTypes } from "#domain/AppHook"
import {
  LongRunning,
  NullRealm,
  RequiredLevel,
  Resource,
  RulesFirst,
  requireAccountAccess,
  Wrapper
} from "../Access.ts"
import { createdAt, describe, objectType } from "../Description.ts"
import { Choice, EmptyBody, listOf, MaybeText, maybe, pageQuery, requestAttributes, TimeT, Words } from "../Wire.ts"
import { texts } from "./Texts.ts"

const itemFields = {
  id: describe(Schema.String, "The hook's ID, which begins with `hk_`."),
  object: describe(
    Schema.Literals(["app_hook", "hook"]),
    "The type of the object: always `hook`; under `/v1`, `app_hook`."
  ),
  realm_id: describe(MaybeText, "The ID of the realm whose events the hook sends; null for all realms."),
  state: describe(Schema.String, texts.state, { enum: hookStates }),
  event_type: describe(Schema.Array(Schema.String), texts.event_type, {
    type: "array",
    items: { $ref: "#/components/schemas/EventType" }
  }),
  hook_type: describe(Schema.String, texts.hook_type, { enum: hookTypes }),
  destination: describe(MaybeText, `${texts.destination} Null for email hooks.`)
}

/** A hook in a list. */
export const HookItem = Schema.Struct(itemFields).annotate({ identifier: "HookItem" })

const readFields = {
  ...itemFields,
  version: describe(
    Schema.String,
    "The API version whose names the hook's payloads use: the version under which it was created.",
    { enum: ["v1", "v2"] }
  ),
  delay: describe(Schema.Finite, texts.delay, { type: "integer" }),
  created_at: createdAt
}

/** A complete hook. For callers below level `admin_realm`, a webhook's secret is null (C6). */
export const HookBody = Schema.Union([
  Schema.Struct({
    ...readFields,
    hook_type: describe(Schema.Literal("webhook"), texts.hook_type),
    secret: describe(
      MaybeText,
      "The secret that signs the requests: `whsec_` and 32 bytes in Base64. Null for keys below level `admin_realm`."
    )
  }),
  Schema.Struct({
    ...readFields,
    hook_type: describe(Schema.Literal("email"), texts.hook_type),
    email_from: describe(MaybeText, texts.email_from),
    email_from_name: describe(MaybeText, texts.email_from_name),
    email_renderer: describe(Schema.String, texts.email_renderer, { enum: emailRenderers }),
    email_subject: describe(MaybeText, texts.email_subject),
    email_template: describe(MaybeText, texts.email_template),
    email_to: describe(MaybeText, texts.email_to),
    user_type: describe(Schema.String, texts.user_type, { enum: hookUserTypes })
  })
]).annotate({ identifier: "Hook" })

/** The result of a test message to a hook. */
export const PingBody = Schema.Struct({
  object: objectType("ping"),
  state: describe(
    Schema.Literals(["completed", "failed"]),
    "Whether the destination accepted the message: `completed` or `failed`."
  ),
  destination: describe(MaybeText, "The URL to which the message was posted."),
  result: describe(
    MaybeText,
    "The response's status and the first 1 KB of its body, or the reason why there was no response."
  )
}).annotate({ identifier: "Ping" })

/** The number of notifications to be sent again. */
export const ReplayBody = Schema.Struct({
  object: objectType("replay"),
  notifications: describe(
    Schema.Finite,
    "The number of notifications that are resent, or with `dry_run`, would be resent.",
    { type: "integer" }
  )
}).annotate({ identifier: "Replay" })

const path = { hook_id: Schema.String }

/** The email of an email hook, as it would be sent. */
export const MailPreviewBody = Schema.Struct({
  object: objectType("mail_preview"),
  event_id: describe(MaybeText, "The ID of the event that the email is about; null for sample data."),
  from: describe(
    Schema.Struct({
      address: describe(Schema.String, "The address."),
      name: describe(MaybeText, "The name, or null.")
    }),
    "The sender."
  ),
  to: describe(Schema.String, "The recipient."),
  subject: describe(Schema.String, "The subject."),
  text: describe(MaybeText, "The text part; null if there is none."),
  html: describe(MaybeText, "The HTML part; null if there is none.")
}).annotate({ identifier: "MailPreview" })

interface Names<
  Version extends string,
  Creating extends Schema.Top,
  Updating extends Schema.Top,
  Pinging extends Schema.Top
> {
  readonly version: Version
  readonly prefix: `/${string}`
  readonly wrapper: string
  readonly creating: Creating
  readonly updating: Updating
  readonly pinging: Pinging
}

/** Hooks. The versions differ only in names (C13). */
export const hooks = <
  const Version extends "v1" | "v2",
  Creating extends Schema.Top,
  Updating extends Schema.Top,
  Pinging extends Schema.Top
>({
  version,
  prefix,
  wrapper,
  creating,
  updating,
  pinging
}: Names<Version, Creating, Updating, Pinging>) =>
  HttpApiGroup.make(`${version}.hooks`)
    .add(
      HttpApiEndpoint.get("list", "/", {
        disableCodecs: true,
        query: {
          ...pageQuery(["id"]),
          hook_type: Schema.optionalKey(Choice(hookTypes)),
          state: Schema.optionalKey(Choice(hookStates))
        },
        success: listOf(HookItem)
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.get("get", "/:hook_id", {
        disableCodecs: true,
        params: path,
        success: HookBody
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.post("create", "/", {
        disableCodecs: true,
        payload: creating,
        success: HookBody.pipe(HttpApiSchema.status(201))
      })
        // The operation renders the template as a check, and may have to wait for other renderings.
        .annotate(LongRunning, true)
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, wrapper)
        .annotate(RulesFirst, true),
      HttpApiEndpoint.put("update", "/:hook_id", {
        disableCodecs: true,
        params: path,
        payload: updating,
        success: HookBody
      })
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, wrapper)
        .annotate(RulesFirst, true),
      HttpApiEndpoint.delete("delete", "/:hook_id", {
        disableCodecs: true,
        params: path,
        success: HttpApiSchema.NoContent
      }).annotate(RequiredLevel, "admin_realm"),
      HttpApiEndpoint.post("rotateSecret", "/:hook_id/rotate_secret", {
        disableCodecs: true,
        params: path,
        payload: EmptyBody,
        success: HookBody
      }).annotate(RequiredLevel, "admin_realm"),
      HttpApiEndpoint.post("ping", "/:hook_id/ping", {
        disableCodecs: true,
        params: path,
        payload: pinging,
        success: PingBody
      })
        .annotate(LongRunning, true)
        .annotate(RequiredLevel, "admin_realm"),
      HttpApiEndpoint.post("replay", "/:hook_id/replay", {
        disableCodecs: true,
        params: path,
        payload: Schema.Struct({
          since: describe(TimeT, "Unix time in seconds: resends notifications recorded from this time on."),
          until: describe(
            maybe(TimeT),
            "Unix time in seconds: resends notifications recorded until this time. Default: now."
          ),
          state: describe(
            maybe(Choice(["failed", "undelivered", "all"])),
            "The notifications to resend. `failed` selects notifications that failed permanently, `undelivered` adds those that wait for another attempt, and `all` also adds those that were delivered or canceled. Default: `failed`."
          ),
          event_type: describe(
            maybe(Words(Schema.String)),
            "Resends only notifications about events of these types, or of types with these prefixes, such as `user.`. Default: all types."
          ),
          dry_run: describe(
            maybe(Schema.Boolean),
            "Whether to only count the notifications, without resending them. Default: false."
          ),
          ...requestAttributes
        }),
        success: ReplayBody.pipe(HttpApiSchema.status(202))
      }).annotate(RequiredLevel, "admin_realm")
    )
    .prefix(prefix)
    .annotateEndpoints(Resource, wrapper)
    .annotateEndpoints(NullRealm, true)
    .pipe(requireAccountAccess)
