import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { MembershipBody as BodyV1 } from "../nested/V1.ts"
import { MembershipBody as BodyV2 } from "../nested/V2.ts"
import { beside, Custom, inRealm, listOf, maybe, Permissions, paging, Text, TimeT } from "../Wire.ts"

const inV2 = { permissions: maybe(Permissions), expires_at: maybe(TimeT) }
const inV1 = { ...inV2, custom: maybe(Custom) }

/** What a caller may change of a membership (api-v2 section 2); `custom` under `/v1` only. */
export const Changes = Schema.Struct(inV1)

/** What the versions see differently. */
interface Shapes<Body, Creation, Change> {
  readonly body: Body
  readonly creation: Creation
  readonly change: Change
}

const path = { membership_id: Schema.String }

/** Memberships (section 4, "Memberships", of both documents). */
const memberships = <
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
        query: { ...paging(["id"]), org_id: Schema.optionalKey(Text()), user_id: Schema.optionalKey(Text()) },
        success: listOf(body)
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.get("get", "/:membership_id", {
        disableCodecs: true,
        params: path,
        query: inRealm,
        success: body
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.post("create", "/", {
        disableCodecs: true,
        payload: Schema.Struct({ membership: creation, ...beside }),
        success: body.pipe(HttpApiSchema.status(201))
      })
        .annotate(RequiredLevel, "write")
        .annotate(Wrapper, "membership"),
      HttpApiEndpoint.put("update", "/:membership_id", {
        disableCodecs: true,
        params: path,
        payload: Schema.Struct({ membership: change, ...beside }),
        success: body
      })
        .annotate(RequiredLevel, "write")
        .annotate(Wrapper, "membership"),
      HttpApiEndpoint.delete("delete", "/:membership_id", {
        disableCodecs: true,
        params: path,
        success: HttpApiSchema.NoContent
      }).annotate(RequiredLevel, "write")
    )
    .prefix(`/${version}/memberships`)
    .annotateEndpoints(Resource, "membership")
    .pipe(requireTenantAccess)

/** Without `org_id` a membership belongs to the user alone (api-v1 section 2). */
export const MembershipsV1 = memberships("v1", {
  body: BodyV1,
  creation: Schema.Struct({ user_id: Text(), org_id: maybe(Text()), ...inV1 }),
  change: Changes
})

export const MembershipsV2 = memberships("v2", {
  body: BodyV2,
  creation: Schema.Struct({ org_id: Text(), user_id: Text(), ...inV2 }),
  change: Schema.Struct(inV2)
})
