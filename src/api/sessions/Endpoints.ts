import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { GoneIsDone, RequiredLevel, Resource, requireTenantAccess, TokenInPath, Wrapper } from "../Access.ts"
import { SessionBody as BodyV1, SessionItem as ItemV1 } from "../nested/V1.ts"
import { SessionBody as BodyV2, SessionItem as ItemV2 } from "../nested/V2.ts"
import { beside, expanding, inRealm, listOf, paging, Text } from "../Wire.ts"

/** What the versions see differently. `reading`: the query of a read. */
interface Shapes<Item, Body, Reading> {
  readonly item: Item
  readonly body: Body
  readonly reading: Reading
}

const path = { session_id: Schema.String }

/** Sessions (section 4, "Sessions", of both documents). */
const sessions = <
  const Version extends "v1" | "v2",
  Item extends Schema.Top,
  Body extends Schema.Top,
  Reading extends HttpApiEndpoint.QueryConstraint
>(
  version: Version,
  { item, body, reading }: Shapes<Item, Body, Reading>
) =>
  HttpApiGroup.make(`${version}.sessions`)
    .add(
      HttpApiEndpoint.get("list", "/", {
        disableCodecs: true,
        query: { ...paging(["id"]), user_id: Schema.optionalKey(Text()) },
        success: listOf(item)
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.get("get", "/:session_id", {
        disableCodecs: true,
        params: path,
        query: reading,
        success: body
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.post("create", "/", {
        disableCodecs: true,
        payload: Schema.Struct({ session: Schema.Struct({ user_id: Text() }), ...beside }),
        success: body.pipe(HttpApiSchema.status(201))
      })
        .annotate(RequiredLevel, "write")
        .annotate(Wrapper, "session"),
      HttpApiEndpoint.delete("delete", "/:session_id", {
        disableCodecs: true,
        params: path,
        success: HttpApiSchema.NoContent
      })
        .annotate(RequiredLevel, "write")
        .annotate(GoneIsDone, true)
    )
    .prefix(`/${version}/sessions`)
    .annotateEndpoints(Resource, "session")
    .pipe(requireTenantAccess)

/** `session_id`: id or full login token. */
export const SessionsV1 = sessions("v1", {
  item: ItemV1,
  body: BodyV1,
  reading: { ...inRealm, expand: Schema.optionalKey(expanding(["memberships", "token"])) }
}).annotateEndpoints(TokenInPath, true)

export const SessionsV2 = sessions("v2", {
  item: ItemV2,
  body: BodyV2,
  reading: {
    ...inRealm,
    expand: Schema.optionalKey(expanding(["memberships"])),
    org_id: Schema.optionalKey(Text())
  }
})
