import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RequiredLevel, Resource, RulesFirst, requireTenantAccess, Wrapper } from "../Access.ts"
import { describe } from "../Description.ts"
import { listOf, pageQuery, realmQuery, requestAttributes, Text } from "../Wire.ts"

/** The schemas that differ between the versions. */
interface Shapes<Body, Creation, Change> {
  readonly body: Body
  readonly creation: Creation
  readonly change: Change
}

const path = { membership_id: Schema.String }

/** Memberships (`v1.memberships`, `v2.memberships`). */
export const memberships = <
  const Version extends "v1" | "v2",
  Body extends Schema.Top,
  Creation extends Schema.Top,
  Change extends Schema.Top
>(
  version: Version,
  { body, creation, change }: Shapes<Body, Creation, Change>
) =>
  HttpApiGroup.make(`${version}.memberships`)
    .add(
      HttpApiEndpoint.get("list", "/", {
        disableCodecs: true,
        query: { ...pageQuery(["id"]), org_id: Schema.optionalKey(Text()), user_id: Schema.optionalKey(Text()) },
        success: listOf(body)
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.get("get", "/:membership_id", {
        disableCodecs: true,
        params: path,
        query: realmQuery,
        success: body
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.post("create", "/", {
        disableCodecs: true,
        payload: Schema.Struct({ membership: describe(creation, "The new membership."), ...requestAttributes }),
        success: body.pipe(HttpApiSchema.status(201))
      })
        .annotate(RequiredLevel, "write")
        .annotate(Wrapper, "membership")
        .annotate(RulesFirst, true),
      HttpApiEndpoint.put("update", "/:membership_id", {
        disableCodecs: true,
        params: path,
        payload: Schema.Struct({ membership: describe(change, "The changes."), ...requestAttributes }),
        success: body
      })
        .annotate(RequiredLevel, "write")
        .annotate(Wrapper, "membership")
        .annotate(RulesFirst, true),
      HttpApiEndpoint.delete("delete", "/:membership_id", {
        disableCodecs: true,
        params: path,
        success: HttpApiSchema.NoContent
      }).annotate(RequiredLevel, "write")
    )
    .prefix(`/${version}/memberships`)
    .annotateEndpoints(Resource, "membership")
    .pipe(requireTenantAccess)
