import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { AllowsSupport, IdempotentDelete, RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { describe } from "../Description.ts"
import { listOf, pageQuery, requestAttributes, Text } from "../Wire.ts"

/** The schemas that differ between the versions. `getQuery` contains the query parameters for reading a session. */
interface Shapes<Item, Body, GetQuery> {
  readonly item: Item
  readonly body: Body
  readonly getQuery: GetQuery
}

const path = { session_id: Schema.String }

/** Sessions (`v1.sessions`, `v2.sessions`). */
export const sessions = <
  const Version extends "v1" | "v2",
  Item extends Schema.Top,
  Body extends Schema.Top,
  GetQuery extends HttpApiEndpoint.QueryConstraint
>(
  version: Version,
  { item, body, getQuery }: Shapes<Item, Body, GetQuery>
) =>
  HttpApiGroup.make(`${version}.sessions`)
    .add(
      HttpApiEndpoint.get("list", "/", {
        disableCodecs: true,
        query: { ...pageQuery(["id"]), user_id: Schema.optionalKey(Text()) },
        success: listOf(item)
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.get("get", "/:session_id", {
        disableCodecs: true,
        params: path,
        query: getQuery,
        success: body
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.post("create", "/", {
        disableCodecs: true,
        payload: Schema.Struct({
          session: describe(
            Schema.Struct({ user_id: describe(Text(), "The ID of an active person (not of an API user).") }),
            "The new session."
          ),
          ...requestAttributes
        }),
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
        .annotate(AllowsSupport, true)
        .annotate(IdempotentDelete, true)
    )
    .prefix(`/${version}/sessions`)
    .annotateEndpoints(Resource, "session")
    .pipe(requireTenantAccess)
