import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { credentialTypes } from "#domain/Credential"
import { RequiredLevel, Resource, RulesFirst, requireTenantAccess, Wrapper } from "../Access.ts"
import { describe, objectType } from "../Description.ts"
import { MaybeTime, maybe, realmQuery, requestAttributes, SecretText, Text } from "../Wire.ts"
import { credentialChanges, credentialFields } from "./Fields.ts"
import { CreationResponse } from "./Passkeys.ts"

const MaybeText = Schema.optionalKey(Schema.NullOr(Schema.String))

/** A credential with the members of its type. For callers below level `write`, secrets are null (C6). */
export const CredentialBody = Schema.Struct({
  id: describe(Schema.String, "The credential's ID, which begins with `crd_`."),
  object: objectType("credential"),
  credential_type: describe(
    Schema.String,
    "The type of the credential: `password`, `totp` (authenticator app), `passkey`, `recovery_codes`, `api_key`, or the type of the provider where the user logs in. Determines which members are present.",
    { enum: credentialTypes }
  ),
  user_id: describe(Schema.String, "The user's ID."),
  api_key: describe(
    MaybeText,
    "The API key. It is always in the response that creates or changes it, and later only if it was stored readable (`api_key_policy` `encrypt`). Null for keys below level `write`."
  ),
  auth_provider_id: describe(
    MaybeText,
    "The ID of the auth provider that the authenticator app or profile belongs to."
  ),
  name: describe(MaybeText, "The user's name for the authenticator app or passkey; optional for a passkey."),
  state: describe(
    MaybeText,
    "Whether the authenticator app is used in logins: `active`, or `new` until it is verified."
  ),
  otp_secret: describe(
    MaybeText,
    "The secret of a `new` authenticator app in Base32, for manual entry. Null for keys below level `write`; missing once the app is verified."
  ),
  provisioning_uri: describe(
    MaybeText,
    "The same secret as an `otpauth:` URI for a QR code: SHA-1, six digits, 30 seconds. Null for keys below level `write`; missing once the app is verified."
  ),
  provisioning_svg: describe(
    MaybeText,
    "The QR code of that URI, as an SVG image. Null for keys below level `write`; missing once the app is verified."
  ),
  aaguid: describe(
    Schema.optionalKey(Schema.String),
    "The model of the passkey's authenticator, as a UUID; zeros if unknown."
  ),
  transports: describe(
    Schema.optionalKey(Schema.Array(Schema.String)),
    "The transports that the authenticator reports: `internal`, `hybrid`, `usb`, `nfc`, `ble` and others."
  ),
  backed_up: describe(
    Schema.optionalKey(Schema.Boolean),
    "Whether the passkey was synced to other devices at its latest use."
  ),
  last_used_at: describe(
    Schema.optionalKey(MaybeTime),
    "Unix time in seconds of the passkey's latest use; null if it was never used."
  ),
  provider_user_id: describe(MaybeText, "The user's ID at the provider."),
  access_token: describe(
    MaybeText,
    "The provider's latest access token for the user; null if there is none, or for keys below level `write`."
  ),
  token_expires_at: describe(
    Schema.optionalKey(MaybeTime),
    "Unix time in seconds at which the access token expires; null if not known."
  ),
  codes: describe(
    Schema.optionalKey(Schema.Array(Schema.String)),
    "Ten recovery codes, such as `7k2m-x9qa-04tz`. Only in the response that creates them."
  ),
  codes_left: describe(Schema.optionalKey(Schema.Finite), "The number of unused recovery codes.", {
    type: "integer"
  })
}).annotate({ identifier: "Credential" })

const path = { credential_id: Schema.String }

/** Credentials, the same in both versions (`v1.credential`, C13). */
const credentials = <const Version extends "v1" | "v2">(version: Version) =>
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
          credential: describe(
            Schema.Struct({
              user_id: describe(Text(), "The user's ID. Can't be changed later."),
              ...credentialFields,
              token: describe(
                maybe(SecretText),
                "For a passkey: the token returned by `passkey_options`, `tpk:…`. Required."
              ),
              response: describe(
                maybe(CreationResponse),
                "For a passkey: the result of `navigator.credentials.create()`, as its `toJSON()`. Required."
              )
            }),
            "The new credential, with the members of its type."
          ),
          ...requestAttributes
        }),
        success: CredentialBody.pipe(HttpApiSchema.status(201))
      })
        .annotate(RequiredLevel, "write")
        .annotate(Wrapper, "credential")
        .annotate(RulesFirst, true),
      HttpApiEndpoint.put("update", "/:credential_id", {
        disableCodecs: true,
        params: path,
        payload: Schema.Struct({
          credential: describe(Schema.Struct(credentialChanges), "The changes, with members that apply to its type."),
          ...requestAttributes
        }),
        success: CredentialBody
      })
        .annotate(RequiredLevel, "write")
        .annotate(Wrapper, "credential")
        .annotate(RulesFirst, true),
      HttpApiEndpoint.post("verify", "/:credential_id/verify", {
        disableCodecs: true,
        params: path,
        payload: Schema.Struct({
          credential: describe(
            Schema.Struct({
              code: describe(
                maybe(Text()),
                "The six-digit code that the app shows. It works once, in its 30-second period and the periods before and after it. Required."
              )
            }),
            "The proof."
          ),
          ...requestAttributes
        }),
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

/** Credentials of `/v1`. */
export class CredentialsV1 extends credentials("v1") {}

/** Credentials of `/v2`. */
export class CredentialsV2 extends credentials("v2") {}
