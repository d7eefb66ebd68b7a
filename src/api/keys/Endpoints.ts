import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { jwtAlgorithms } from "#domain/JwtKey"
import { RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { createdAt, describe, objectType } from "../Description.ts"
import { realmId } from "../memberships/Members.ts"
import { Choice, listOf, maybe, pageQuery, QueryFlag, realmQuery, requestAttributes, Text } from "../Wire.ts"

const algoText = "The signature algorithm: `hs256` (a shared secret) or `rs256` (RSA)."

/** A signing key. `key` is the secret (hs256) or the public key (rs256, PEM SPKI). Private keys are never returned. */
export const JwtKeyBody = Schema.Struct({
  id: describe(
    Schema.String,
    "The key's ID, which begins with `jky_`. It is the `kid` of the tokens that the key signs."
  ),
  object: objectType("jwt_key"),
  algo: describe(Schema.Literals(jwtAlgorithms), algoText),
  expired: describe(
    Schema.Boolean,
    "Whether the key is expired, and only verifies tokens for another 6 to 24 hours. An expired rs256 key signs until its successor has been published for a minute."
  ),
  /** Null if the key can no longer be decrypted. */
  key: describe(
    Schema.NullOr(Schema.String),
    "The secret (`hs256`), used as its literal UTF-8 bytes, or the public key in PEM (`rs256`); null if it can no longer be decrypted."
  ),
  use: describe(Schema.Literal("sign"), "The purpose of the key: always `sign`."),
  realm_id: realmId,
  created_at: createdAt
}).annotate({ identifier: "JwtKey" })

/** More than the PEM of any accepted RSA key. */
const PEM_LENGTH = 16 * 1024

const path = { key_id: Schema.String }

/** The keys that sign a realm's tokens, the same in both versions (`v1.jwt_keys`). */
const jwtKeys = <const Version extends "v1" | "v2">(version: Version) =>
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
          jwt_key: describe(
            Schema.Struct({
              algo: describe(Choice(jwtAlgorithms), algoText),
              use: describe(Choice(["sign"]), "The purpose of the key: always `sign`."),
              key: describe(
                maybe(Text(PEM_LENGTH)),
                "Your own key: a secret of 32 bytes to 255 characters (`hs256`), or an RSA private key of 2,048 to 8,192 bits in PEM (`rs256`). Default: a generated key."
              )
            }),
            "The new key."
          ),
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

/** The keys that sign a realm's tokens, in `/v1`. */
export class JwtKeysV1 extends jwtKeys("v1") {}

/** The keys that sign a realm's tokens, in `/v2`. */
export class JwtKeysV2 extends jwtKeys("v2") {}
