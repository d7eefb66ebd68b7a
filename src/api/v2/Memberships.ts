import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Answer, Idempotency, RequiredLevel, Resource, TenantAccess, Wrapper } from "../Access.ts"
import { beside, inRealm, listOf, maybe, paging, Permissions, Text, TimeT } from "../Wire.ts"
import { MembershipBody } from "./Bodies.ts"

/** What a caller may change of a membership (api-v2 section 2). */
export const changeable = { permissions: maybe(Permissions), expires_at: maybe(TimeT) }

const path = { membership_id: Schema.String }

/** Memberships of `/v2` (api-v2 section 4, "Memberships"). */
export class Memberships extends HttpApiGroup.make("v2.memberships")
  .add(
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: {
        ...paging(["id"]),
        org_id: Schema.optionalKey(Text()),
        user_id: Schema.optionalKey(Text())
      },
      success: listOf(MembershipBody)
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.get("get", "/:membership_id", {
      disableCodecs: true,
      params: path,
      query: inRealm,
      success: MembershipBody
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.post("create", "/", {
      disableCodecs: true,
      payload: Schema.Struct({
        membership: Schema.Struct({ org_id: Text(), user_id: Text(), ...changeable }),
        ...beside
      }),
      success: MembershipBody.pipe(HttpApiSchema.status(201))
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "membership"),
    HttpApiEndpoint.put("update", "/:membership_id", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({ membership: Schema.Struct(changeable), ...beside }),
      success: MembershipBody
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "membership"),
    HttpApiEndpoint.delete("delete", "/:membership_id", {
      disableCodecs: true,
      params: path,
      success: HttpApiSchema.NoContent
    }).annotate(RequiredLevel, "write")
  )
  .prefix("/v2/memberships")
  .annotateEndpoints(Resource, "membership")
  .middleware(Idempotency)
  .middleware(TenantAccess)
  .middleware(Answer) {}
