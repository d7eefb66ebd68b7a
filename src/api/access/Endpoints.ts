import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { levels } from "#domain/Level"
import { RequiredLevel, Resource, RulesFirst, requireAccountAccess, Wrapper } from "../Access.ts"
import { createdAt, describe, objectType } from "../Description.ts"
import { Choice, listOf, MaybeTime, maybe, pageQuery, requestAttributes, Text, TimeT } from "../Wire.ts"

const levelText =
  "The permissions of the key. Each level includes the previous ones: `read`, `write`, `admin_realm` (settings of a realm), `admin_all_realms` (realms themselves)."

/** An API key. `key` is only in the response to its creation. */
export const ApiKeyBody = Schema.Struct({
  id: describe(Schema.String, "The API key's ID, which begins with `key_`."),
  object: objectType("api_key"),
  name: describe(Schema.String, "Your name for the key."),
  level: describe(Schema.String, levelText, { enum: levels }),
  realm_id: describe(
    Schema.NullOr(Schema.String),
    "The ID of the realm that the key is locked to; null if it is for all realms."
  ),
  created_at: createdAt,
  expires_at: describe(
    MaybeTime,
    "Unix time in seconds, with up to three decimals, at which the key expires; null if never."
  ),
  last_used_at: describe(
    MaybeTime,
    "Unix time in seconds, with up to three decimals, at which the key was last used, updated at most once a minute; null if never."
  ),
  key: describe(Schema.optionalKey(Schema.String), "The API key itself. Only in the response to its creation.")
}).annotate({ identifier: "ApiKey" })

const path = { api_key_id: Schema.String }

/** API keys, the same under both versions (C3). */
const apiKeys = <const Version extends "v1" | "v2">(version: Version) =>
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
          api_key: describe(
            Schema.Struct({
              name: describe(Text(), "Your name for the key."),
              level: describe(Choice(levels), `${levelText} Can't be higher than the level of the caller's key.`),
              realm_id: describe(
                maybe(Text()),
                "The ID of the realm to lock the key to. A locked key can't have the level `admin_all_realms`. Default, and null: the realm in the header or of the caller's key. If there is neither, the key is for all realms, which requires a caller's key of that level."
              ),
              expires_at: describe(
                maybe(TimeT),
                "Unix time in seconds, in the future, at which the key expires. Default: never."
              )
            }),
            "The new key."
          ),
          ...requestAttributes
        }),
        success: ApiKeyBody.pipe(HttpApiSchema.status(201))
      })
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, "api_key")
        .annotate(RulesFirst, true),
      HttpApiEndpoint.delete("delete", "/:api_key_id", {
        disableCodecs: true,
        params: path,
        success: HttpApiSchema.NoContent
      }).annotate(RequiredLevel, "admin_realm")
    )
    .prefix(`/${version}/api_keys`)
    .annotateEndpoints(Resource, "api_key")
    .pipe(requireAccountAccess)

/** API keys of `/v1`. */
export class ApiKeysV1 extends apiKeys("v1") {}

/** API keys of `/v2`. */
export class ApiKeysV2 extends apiKeys("v2") {}
