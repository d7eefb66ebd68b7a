import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Answer, GoneIsDone, Idempotency, RequiredLevel, Resource, TenantAccess, Wrapper } from "../Access.ts"
import { beside, expanding, inRealm, listOf, paging, Text } from "../Wire.ts"
import { SessionBody, SessionItem } from "./Bodies.ts"

const path = { session_id: Schema.String }

/** Sessions of `/v2` (api-v2 section 4, "Sessions"). */
export class Sessions extends HttpApiGroup.make("v2.sessions")
  .add(
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: { ...paging(["id"]), user_id: Schema.optionalKey(Text()) },
      success: listOf(SessionItem)
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.get("get", "/:session_id", {
      disableCodecs: true,
      params: path,
      query: {
        ...inRealm,
        expand: Schema.optionalKey(expanding(["memberships"])),
        org_id: Schema.optionalKey(Text())
      },
      success: SessionBody
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.post("create", "/", {
      disableCodecs: true,
      payload: Schema.Struct({ session: Schema.Struct({ user_id: Text() }), ...beside }),
      success: SessionBody.pipe(HttpApiSchema.status(201))
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
  .prefix("/v2/sessions")
  .annotateEndpoints(Resource, "session")
  .middleware(Idempotency)
  .middleware(TenantAccess)
  .middleware(Answer) {}
