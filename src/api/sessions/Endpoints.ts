import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { GoneIsDone, RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { beside, listOf, paging, Text } from "../Wire.ts"

/** What the versions see differently. `reading`: the query of a read. */
interface Shapes<Item, Body, Reading> {
  readonly item: Item
  readonly body: Body
  readonly reading: Reading
}

const path = { session_id: Schema.String }

/** Sessions (section 4, "Sessions", of both documents). */
export const sessions = <
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
