import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { RequiredLevel, RulesFirst, Wrapper } from "../Access.ts"
import { describe } from "../Description.ts"
import { expandQuery, realmQuery, requestAttributes } from "../Wire.ts"

/** The schemas that differ between the versions. */
interface Shapes<Body, Creation, Change> {
  readonly body: Body
  readonly creation: Creation
  readonly change: Change
  /** The `expand` values accepted when reading a single user. */
  readonly expands: ReadonlyArray<string>
}

export const path = { user_id: Schema.String }

/** The operations on one user (`v1.users`, `v2.users`). */
export const users = <Body extends Schema.Top, Creation extends Schema.Top, Change extends Schema.Top>({
  body,
  creation,
  change,
  expands
}: Shapes<Body, Creation, Change>) =>
  [
    HttpApiEndpoint.get("get", "/:user_id", {
      disableCodecs: true,
      params: path,
      query: { ...realmQuery, ...expandQuery(...expands) },
      success: body
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.post("create", "/", {
      disableCodecs: true,
      payload: creation,
      success: body.pipe(HttpApiSchema.status(201))
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "user")
      .annotate(RulesFirst, true),
    HttpApiEndpoint.put("update", "/:user_id", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({ user: describe(change, "The changes."), ...requestAttributes }),
      success: body
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "user")
      .annotate(RulesFirst, true),
    HttpApiEndpoint.delete("delete", "/:user_id", {
      disableCodecs: true,
      params: path,
      success: HttpApiSchema.NoContent
    }).annotate(RequiredLevel, "write")
  ] as const
