import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { realmSorts, realmStates } from "#domain/Realm"
import {
  AccountAccess,
  ErrorResponses,
  Idempotency,
  RequiredLevel,
  Resource,
  TenantAccess,
  Wrapper
} from "../Access.ts"
import {
  Choice,
  Custom,
  expandQuery,
  Flag,
  listOf,
  MaybeText,
  maybe,
  pageQuery,
  requestAttributes,
  Text
} from "../Wire.ts"
import { Limits, payload } from "./Fields.ts"

const itemFields = {
  id: Schema.String,
  object: Schema.Literal("realm"),
  name: Schema.String,
  state: Schema.String,
  reference: MaybeText
}

/** A realm in a list; `custom` only with `expand=custom`. */
export const RealmItem = Schema.Struct({ ...itemFields, custom: Schema.optionalKey(Custom) }).annotate({
  identifier: "RealmItem"
})

/** What a realm shows under both versions. */
export const realmBodyFields = {
  ...itemFields,
  custom: Custom,
  environment: Schema.String,
  username_validation_human: Schema.String,
  require_unique_emails: Schema.Boolean,
  api_key_prefix: MaybeText,
  api_key_policy: Schema.String,
  jwt_algo: Schema.String,
  jwt_claims: Schema.String,
  jwt_key: MaybeText,
  session_type: Schema.String,
  session_minutes: Schema.Finite,
  session_tokens: Schema.String,
  api_key_minutes: Schema.Finite,
  org_mode: Schema.String,
  signup: Schema.String,
  email_verification: Schema.String,
  default_locale: Schema.String,
  available_locales: Schema.Array(Schema.String),
  resource_links: Schema.Array(Schema.Struct({ resource: Schema.String, title: Schema.String, url: Schema.String })),
  limits: Limits,
  /** Null if the realm keeps events as long as the deployment does. */
  event_retention_days: Schema.NullOr(Schema.Finite),
  created_at: Schema.Finite
}

const path = { realm_id: Schema.String }

/** What a reset clears. `resetByDefault` says what happens to what is left out. */
const resets = {
  app_hooks: maybe(Flag),
  auth_providers: maybe(Flag),
  login_policies: maybe(Flag),
  orgs: maybe(Flag),
  users: maybe(Flag)
}

/** Realms (`v1.realms`). */
export const realms = <const Version extends "v1" | "v2", Body extends Schema.Top>(version: Version, body: Body) =>
  HttpApiGroup.make(`${version}.realms`)
    .add(
      HttpApiEndpoint.get("list", "/", {
        disableCodecs: true,
        query: {
          ...pageQuery(realmSorts),
          reference: Schema.optionalKey(Text()),
          state: Schema.optionalKey(Choice(realmStates)),
          ...expandQuery("custom")
        },
        success: listOf(RealmItem)
      })
        .annotate(RequiredLevel, "read")
        .middleware(AccountAccess),
      HttpApiEndpoint.post("create", "/", {
        disableCodecs: true,
        payload,
        success: body.pipe(HttpApiSchema.status(201))
      })
        .annotate(RequiredLevel, "admin_all_realms")
        .annotate(Wrapper, "realm")
        .middleware(Idempotency)
        .middleware(AccountAccess),
      HttpApiEndpoint.get("get", "/:realm_id", { disableCodecs: true, params: path, success: body })
        .annotate(RequiredLevel, "read")
        .middleware(TenantAccess),
      HttpApiEndpoint.put("update", "/:realm_id", { disableCodecs: true, params: path, payload, success: body })
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, "realm")
        .middleware(TenantAccess),
      HttpApiEndpoint.delete("delete", "/:realm_id", {
        disableCodecs: true,
        params: path,
        success: HttpApiSchema.Accepted
      })
        .annotate(RequiredLevel, "admin_all_realms")
        .middleware(TenantAccess),
      HttpApiEndpoint.post("reset", "/:realm_id/reset", {
        disableCodecs: true,
        params: path,
        payload: Schema.Struct({ ...resets, ...requestAttributes }),
        success: body.pipe(HttpApiSchema.status(202))
      })
        .annotate(RequiredLevel, "admin_realm")
        .middleware(Idempotency)
        .middleware(TenantAccess)
    )
    .prefix(`/${version}/realms`)
    .annotateEndpoints(Resource, "realm")
    .middleware(ErrorResponses)
