import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { hookStates, hookTypes } from "#domain/AppHook"
import { LongRunning, NullRealm, RequiredLevel, Resource, requireAccountAccess, Wrapper } from "../Access.ts"
import { Choice, EmptyBody, listOf, MaybeText, maybe, pageQuery, requestAttributes, TimeT } from "../Wire.ts"

const itemFields = {
  id: Schema.String,
  object: Schema.Literals(["app_hook", "hook"]),
  realm_id: MaybeText,
  state: Schema.String,
  event_type: Schema.Array(Schema.String),
  hook_type: Schema.String,
  destination: MaybeText
}

/** A hook as lists show it. */
export const HookItem = Schema.Struct(itemFields).annotate({ identifier: "HookItem" })

const readFields = { ...itemFields, version: Schema.String, delay: Schema.Finite, created_at: Schema.Finite }

/** A hook as a single read shows it. The secret of a webhook is null below level `admin_realm` (C6). */
export const HookBody = Schema.Union([
  Schema.Struct({ ...readFields, hook_type: Schema.Literal("webhook"), secret: MaybeText }),
  Schema.Struct({
    ...readFields,
    hook_type: Schema.Literal("email"),
    email_from: MaybeText,
    email_from_name: MaybeText,
    email_renderer: Schema.String,
    email_subject: MaybeText,
    email_template: MaybeText,
    email_to: MaybeText,
    user_type: Schema.String
  })
]).annotate({ identifier: "Hook" })

/** The result of a test message to a hook. */
export const PingBody = Schema.Struct({
  object: Schema.Literal("ping"),
  state: Schema.Literals(["completed", "failed"]),
  destination: MaybeText,
  result: MaybeText
}).annotate({ identifier: "Ping" })

/** The number of notifications that are sent again. */
export const ReplayBody = Schema.Struct({ object: Schema.Literal("replay"), notifications: Schema.Finite }).annotate({
  identifier: "Replay"
})

const path = { hook_id: Schema.String }

interface Names<Version extends string, Creating extends Schema.Top, Updating extends Schema.Top> {
  readonly version: Version
  readonly prefix: `/${string}`
  readonly wrapper: string
  readonly creating: Creating
  readonly updating: Updating
}

/** Hooks: the versions differ only in the names (C13). */
export const hooks = <const Version extends "v1" | "v2", Creating extends Schema.Top, Updating extends Schema.Top>({
  version,
  prefix,
  wrapper,
  creating,
  updating
}: Names<Version, Creating, Updating>) =>
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
        // The template is tried first, which may have to wait for others.
        .annotate(LongRunning, true)
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, wrapper),
      HttpApiEndpoint.put("update", "/:hook_id", {
        disableCodecs: true,
        params: path,
        payload: updating,
        success: HookBody
      })
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, wrapper),
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
        payload: EmptyBody,
        success: PingBody
      })
        .annotate(LongRunning, true)
        .annotate(RequiredLevel, "admin_realm"),
      HttpApiEndpoint.post("replay", "/:hook_id/replay", {
        disableCodecs: true,
        params: path,
        payload: Schema.Struct({
          since: TimeT,
          until: maybe(TimeT),
          state: maybe(Choice(["failed", "all"])),
          ...requestAttributes
        }),
        success: ReplayBody.pipe(HttpApiSchema.status(202))
      }).annotate(RequiredLevel, "admin_realm")
    )
    .prefix(prefix)
    .annotateEndpoints(Resource, wrapper)
    .annotateEndpoints(NullRealm, true)
    .pipe(requireAccountAccess)
