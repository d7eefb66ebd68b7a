import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { levels } from "#domain/Caller"
import { RequiredLevel, Resource, requireAccountAccess, Wrapper } from "../Access.ts"
import { Choice, listOf, MaybeTime, maybe, pageQuery, requestAttributes, Text, TimeT } from "../Wire.ts"

/** A management key. Only the answer to its creation has `key`. */
export const ApiKeyBody = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("api_key"),
  name: Schema.String,
  level: Schema.String,
  realm_id: Schema.NullOr(Schema.String),
  created_at: Schema.Finite,
  expires_at: MaybeTime,
  last_used_at: MaybeTime,
  key: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "ApiKey" })

const path = { api_key_id: Schema.String }

/** Management keys, the same under both versions (C3). */
export const apiKeys = <const Version extends "v1" | "v2">(version: Version) =>
  HttpApiGroup.make(`${version}.api_keys`)
    .add(
      HttpApiEndpoint.get("list", "/", {
        disableCodecs: true,
        query: pageQuery(["id"]),
        success: listOf(ApiKeyBody)
      }).annotate(RequiredLevel, "admin_realm"),
      HttpApiEndpoint.get("get", "/:api_key_id", {
        disableCodecs: true,
        params: path,
        success: ApiKeyBody
      }).annotate(RequiredLevel, "admin_realm"),
      HttpApiEndpoint.post("create", "/", {
        disableCodecs: true,
        payload: Schema.Struct({
          api_key: Schema.Struct({
            name: Text(),
            level: Choice(levels),
            realm_id: maybe(Text()),
            expires_at: maybe(TimeT)
          }),
          ...requestAttributes
        }),
        success: ApiKeyBody.pipe(HttpApiSchema.status(201))
      })
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, "api_key"),
      HttpApiEndpoint.delete("delete", "/:api_key_id", {
        disableCodecs: true,
        params: path,
        success: HttpApiSchema.NoContent
      }).annotate(RequiredLevel, "admin_realm")
    )
    .prefix(`/${version}/api_keys`)
    .annotateEndpoints(Resource, "api_key")
    .pipe(requireAccountAccess)
