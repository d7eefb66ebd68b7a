import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RequiredLevel, Resource, requireTenantAccess } from "../Access.ts"
import { describe, objectType } from "../Description.ts"
import { listOf, pageQuery, realmQuery, Text } from "../Wire.ts"

/** The members of a consent that both versions share. */
const consentFields = {
  id: describe(Schema.String, "The consent's ID, which begins with `cns_`."),
  object: objectType("consent"),
  user_id: describe(Schema.String, "The ID of the user."),
  scopes: describe(Schema.Array(Schema.String), "All scopes that the user has granted to the client."),
  resources: describe(
    Schema.Array(Schema.String),
    "All resource servers that the user has allowed the client to access, as URLs."
  ),
  created_at: describe(Schema.Finite, "Unix time in seconds, with up to three decimals, of the first consent."),
  updated_at: describe(Schema.Finite, "Unix time in seconds, with up to three decimals, of the last consent.")
}

/** The ID of a consent's client. */
const consentClient = describe(Schema.String, "The ID of the OAuth client, which is a connected app.")

const id = Schema.optionalKey(Text())

const path = { consent_id: Schema.String }

/** The query parameters for a list of consents that both versions share. */
const consentsQuery = { ...pageQuery(["id"]), user_id: id }

/** The filter by client. Its name differs between the versions. */
const clientFilter = id

/** Consents (`v1.consents`, `v2.consents`). */
const consents = <
  const Version extends "v1" | "v2",
  Body extends Schema.Top,
  Query extends HttpApiEndpoint.QueryConstraint
>(
  version: Version,
  { body, query }: { readonly body: Body; readonly query: Query }
) =>
  HttpApiGroup.make(`${version}.consents`)
    .add(
      HttpApiEndpoint.get("list", "/", { disableCodecs: true, query, success: listOf(body) }).annotate(
        RequiredLevel,
        "read"
      ),
      HttpApiEndpoint.get("get", "/:consent_id", {
        disableCodecs: true,
        params: path,
        query: realmQuery,
        success: body
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.delete("delete", "/:consent_id", {
        disableCodecs: true,
        params: path,
        success: HttpApiSchema.NoContent
      }).annotate(RequiredLevel, "write")
    )
    .prefix(`/${version}/consents`)
    .annotateEndpoints(Resource, "consent")
    .pipe(requireTenantAccess)

/** A consent of `/v1`. */
export const ConsentBodyV1 = Schema.Struct({ ...consentFields, login_policy_id: consentClient }).annotate({
  identifier: "ConsentV1"
})

/** Consents of `/v1`: lasting permissions that users have given to OAuth clients. */
export class ConsentsV1 extends consents("v1", {
  body: ConsentBodyV1,
  query: { ...consentsQuery, login_policy_id: clientFilter }
}) {}

/** A consent of `/v2`. */
export const ConsentBodyV2 = Schema.Struct({ ...consentFields, client_app_id: consentClient }).annotate({
  identifier: "Consent"
})

/** Consents of `/v2`: lasting permissions that users have given to OAuth clients. */
export class ConsentsV2 extends consents("v2", {
  body: ConsentBodyV2,
  query: { ...consentsQuery, client_app_id: clientFilter }
}) {}
