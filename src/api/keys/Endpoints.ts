import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { jwtAlgorithms } from "#domain/JwtKey"
import { RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { Choice, listOf, maybe, pageQuery, QueryFlag, realmQuery, requestAttributes, Text } from "../Wire.ts"

/** A signing key. `key` is the secret of hs256, or the public key of rs256 (PEM SPKI). No answer contains a private key. */
export const JwtKeyBody = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("jwt_key"),
  algo: Schema.Literals(jwtAlgorithms),
  expired: Schema.Boolean,
  /** Null if it can no longer be decrypted. */
  key: Schema.NullOr(Schema.String),
  use: Schema.Literal("sign"),
  realm_id: Schema.String,
  created_at: Schema.Finite
}).annotate({ identifier: "JwtKey" })

/** Longer than any accepted RSA key in PEM. */
const PEM_LENGTH = 16 * 1024

const path = { key_id: Schema.String }

/** The keys that sign a realm's tokens: both versions have the same (`v1.jwt_keys`). */
export const jwtKeys = <const Version extends "v1" | "v2">(version: Version) =>
  HttpApiGroup.make(`${version}.jwt_keys`)
    .add(
      HttpApiEndpoint.get("list", "/", {
        disableCodecs: true,
        query: pageQuery(["id"], 100),
        success: listOf(JwtKeyBody)
      }).annotate(RequiredLevel, "admin_realm"),
      HttpApiEndpoint.get("get", "/:key_id", {
        disableCodecs: true,
        params: path,
        query: realmQuery,
        success: JwtKeyBody
      }).annotate(RequiredLevel, "admin_realm"),
      HttpApiEndpoint.post("create", "/", {
        disableCodecs: true,
        payload: Schema.Struct({
          jwt_key: Schema.Struct({
            algo: Choice(jwtAlgorithms),
            use: Choice(["sign"]),
            key: maybe(Text(PEM_LENGTH))
          }),
          ...requestAttributes
        }),
        success: JwtKeyBody.pipe(HttpApiSchema.status(201))
      })
        .annotate(RequiredLevel, "admin_realm")
        .annotate(Wrapper, "jwt_key"),
      HttpApiEndpoint.delete("delete", "/:key_id", {
        disableCodecs: true,
        params: path,
        query: { ...realmQuery, force: Schema.optionalKey(QueryFlag) },
        success: HttpApiSchema.Accepted
      }).annotate(RequiredLevel, "admin_realm")
    )
    .prefix(`/${version}/jwt_keys`)
    .annotateEndpoints(Resource, "jwt_key")
    .pipe(requireTenantAccess)
