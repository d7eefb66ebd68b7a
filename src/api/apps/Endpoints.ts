import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { appSorts } from "#domain/ConnectedApp"
import { RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { listOf, MaybeText, pageQuery, realmQuery } from "../Wire.ts"

const itemFields = {
  id: Schema.String,
  object: Schema.Literals(["login_policy", "client_app"]),
  name: Schema.String,
  realm_id: Schema.String,
  subdomain: Schema.String,
  domains: Schema.Array(Schema.String)
}

/** A connected app as lists show it. */
export const ConnectedAppItem = Schema.Struct(itemFields).annotate({ identifier: "ConnectedAppItem" })

/** A connected app as a single read shows it. */
export const ConnectedAppBody = Schema.Struct({
  ...itemFields,
  state: Schema.String,
  header: MaybeText,
  footer: MaybeText,
  external_css: MaybeText,
  login_handler: MaybeText,
  signup_handler: MaybeText,
  redirect_uris: Schema.Array(Schema.String),
  signup_mode: Schema.String,
  require_password_confirmation: Schema.Boolean,
  require_names: Schema.Boolean,
  require_org_name: Schema.Boolean,
  allow_jsonp: Schema.Boolean,
  created_at: Schema.Finite
}).annotate({ identifier: "ConnectedApp" })

const path = { app_id: Schema.String }

interface Names<Group extends string, Payload extends Schema.Top> {
  readonly group: Group
  readonly prefix: `/${string}`
  readonly wrapper: string
  readonly payload: Payload
}

/** Connected apps: the versions differ only in the names (C13). */
export const connectedApps = <const Group extends string, Payload extends Schema.Top>({
  group,
  prefix,
  wrapper,
  payload
}: Names<Group, Payload>) =>
  HttpApiGroup.make(group)
    .add(
      HttpApiEndpoint.get("list", "/", {
        disableCodecs: true,
        query: pageQuery(appSorts, 100),
        success: listOf(ConnectedAppItem)
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.get("get", "/:app_id", {
        disableCodecs: true,
        params: path,
        query: realmQuery,
        success: ConnectedAppBody
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.post("create", "/", {
        disableCodecs: true,
        payload,
        success: ConnectedAppBody.pipe(HttpApiSchema.status(201))
      })
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, wrapper),
      HttpApiEndpoint.put("update", "/:app_id", {
        disableCodecs: true,
        params: path,
        payload,
        success: ConnectedAppBody
      })
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, wrapper),
      HttpApiEndpoint.delete("delete", "/:app_id", {
        disableCodecs: true,
        params: path,
        success: HttpApiSchema.NoContent
      }).annotate(RequiredLevel, "admin_realm")
    )
    .prefix(prefix)
    .annotateEndpoints(Resource, wrapper)
    .pipe(requireTenantAccess)
