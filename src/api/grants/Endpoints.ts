import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RequiredLevel, Resource, requireTenantAccess } from "../Access.ts"
import { describe, objectType } from "../Description.ts"
import { listOf, MaybeText, MaybeTime, pageQuery, realmQuery, Text } from "../Wire.ts"

const id = Schema.optionalKey(Text())

const path = { grant_id: Schema.String }

/** The query parameters for a list of grants that both versions share. */
const grantsQuery = { ...pageQuery(["id"]), user_id: id }

/** The filter by client. Its name differs between the versions. */
const clientFilter = id

/** The members of a grant that both versions share, before and after the client's ID. */
const grantFields = {
  id: describe(
    Schema.String,
    "The grant's ID, which begins with `gr_`. Its access tokens contain it in the claim `grant`."
  ),
  object: objectType("grant"),
  state: describe(
    Schema.Literals(["active", "ended"]),
    "`ended`: it was revoked, or ended with its session or otherwise; its tokens no longer work."
  ),
  user_id: describe(Schema.String, "The ID of the user."),
  session_id: describe(
    MaybeText,
    "The ID of the session in which the grant was given; null if there was none. Without the scope `offline_access`, the grant ends with that session."
  ),
  scopes: describe(Schema.Array(Schema.String), "The scopes that its tokens can have."),
  resources: describe(Schema.Array(Schema.String), "The resource servers that its access tokens can be for, as URLs."),
  org_id: describe(MaybeText, "The ID of the only org whose membership its tokens contain; null for all memberships."),
  created_at: describe(Schema.Finite, "Unix time in seconds, with up to three decimals, at which the grant was given."),
  last_used_at: describe(
    Schema.Finite,
    "Unix time in seconds, with up to three decimals, at which tokens were last issued for the grant."
  ),
  expires_at: describe(
    Schema.Finite,
    "Unix time in seconds, with up to three decimals, at which the last of its tokens expires. After that, the grant is no longer listed."
  ),
  ended_at: describe(
    MaybeTime,
    "Unix time in seconds, with up to three decimals, at which the grant was ended; null if it has not ended, or if only its session has expired."
  )
}

/** The ID of a grant's client. */
const grantClient = describe(Schema.String, "The ID of the OAuth client, which is a connected app.")

/** Grants (`v1.grants`, `v2.grants`). */
const grants = <
  const Version extends "v1" | "v2",
  Body extends Schema.Top,
  Query extends HttpApiEndpoint.QueryConstraint
>(
  version: Version,
  { body, query }: { readonly body: Body; readonly query: Query }
) =>
  HttpApiGroup.make(`${version}.grants`)
    .add(
      HttpApiEndpoint.get("list", "/", {
        disableCodecs: true,
        query,
        success: listOf(body)
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.get("get", "/:grant_id", {
        disableCodecs: true,
        params: path,
        query: realmQuery,
        success: body
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.delete("delete", "/:grant_id", {
        disableCodecs: true,
        params: path,
        success: HttpApiSchema.NoContent
      }).annotate(RequiredLevel, "write")
    )
    .prefix(`/${version}/grants`)
    .annotateEndpoints(Resource, "grant")
    .pipe(requireTenantAccess)

/** A grant of `/v1`, which calls connected apps login policies. */
export const GrantBodyV1 = Schema.Struct({ ...grantFields, login_policy_id: grantClient }).annotate({
  identifier: "GrantV1"
})

/** Grants of `/v1`: the access that users have given to OAuth clients. */
export class GrantsV1 extends grants("v1", {
  body: GrantBodyV1,
  query: { ...grantsQuery, login_policy_id: clientFilter }
}) {}

/** A grant of `/v2`. */
export const GrantBodyV2 = Schema.Struct({ ...grantFields, client_app_id: grantClient }).annotate({
  identifier: "Grant"
})

/** Grants of `/v2`: the access that users have given to OAuth clients. */
export class GrantsV2 extends grants("v2", {
  body: GrantBodyV2,
  query: { ...grantsQuery, client_app_id: clientFilter }
}) {}
