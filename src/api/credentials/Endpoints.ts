import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { MaybeTime, maybe, realmQuery, requestAttributes, Text } from "../Wire.ts"
import { credentialChanges, credentialFields } from "./Fields.ts"

const MaybeText = Schema.optionalKey(Schema.NullOr(Schema.String))

/** A credential with the members of its type. Secrets are null below level `write` (C6). */
export const CredentialBody = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("credential"),
  credential_type: Schema.String,
  user_id: Schema.String,
  api_key: MaybeText,
  auth_provider_id: MaybeText,
  name: MaybeText,
  state: MaybeText,
  otp_secret: MaybeText,
  provisioning_uri: MaybeText,
  provisioning_svg: MaybeText,
  provider_user_id: MaybeText,
  access_token: MaybeText,
  token_expires_at: Schema.optionalKey(MaybeTime)
}).annotate({ identifier: "Credential" })

const path = { credential_id: Schema.String }

/** Credentials: both versions have the same (`v1.credential`, C13). */
export const credentials = <const Version extends "v1" | "v2">(version: Version) =>
  HttpApiGroup.make(`${version}.credentials`)
    .add(
      HttpApiEndpoint.get("get", "/:credential_id", {
        disableCodecs: true,
        params: path,
        query: realmQuery,
        success: CredentialBody
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.post("create", "/", {
        disableCodecs: true,
        payload: Schema.Struct({
          credential: Schema.Struct({ user_id: Text(), ...credentialFields }),
          ...requestAttributes
        }),
        success: CredentialBody.pipe(HttpApiSchema.status(201))
      })
        .annotate(RequiredLevel, "write")
        .annotate(Wrapper, "credential"),
      HttpApiEndpoint.put("update", "/:credential_id", {
        disableCodecs: true,
        params: path,
        payload: Schema.Struct({ credential: Schema.Struct(credentialChanges), ...requestAttributes }),
        success: CredentialBody
      })
        .annotate(RequiredLevel, "write")
        .annotate(Wrapper, "credential"),
      HttpApiEndpoint.post("verify", "/:credential_id/verify", {
        disableCodecs: true,
        params: path,
        payload: Schema.Struct({ credential: Schema.Struct({ code: maybe(Text()) }), ...requestAttributes }),
        success: CredentialBody
      })
        .annotate(RequiredLevel, "write")
        .annotate(Wrapper, "credential"),
      HttpApiEndpoint.delete("delete", "/:credential_id", {
        disableCodecs: true,
        params: path,
        success: HttpApiSchema.NoContent
      }).annotate(RequiredLevel, "write")
    )
    .prefix(`/${version}/credentials`)
    .annotateEndpoints(Resource, "credential")
    .pipe(requireTenantAccess)
