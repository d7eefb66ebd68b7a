import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RequiredLevel, Resource, requireTenantAccess } from "../Access.ts"
import { MembershipBody, OrgItem, orgItemFields } from "../memberships/V1.ts"
import { newUserFieldsV1, orgFieldsV1, orgStatesV1 } from "../provisioning/Fields.ts"
import { Custom, requestAttributes } from "../Wire.ts"
import { newOrgMemberships, orgs, path } from "./Endpoints.ts"

/** An org read, created or changed. */
export const OrgBody = Schema.Struct({
  ...orgItemFields,
  custom: Custom,
  memberships: Schema.optionalKey(Schema.Array(MembershipBody)),
  new_record: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "OrgV1" })

// A signup token makes a user on its own, not alongside an org.
const { token: _, ...userFields } = newUserFieldsV1
const memberships = newOrgMemberships(userFields)

/** Orgs of `/v1`. There is no state `closed`, and a deletion removes the org. */
export class OrgsV1 extends HttpApiGroup.make("v1.orgs")
  .add(
    ...orgs({
      item: OrgItem,
      body: OrgBody,
      states: orgStatesV1,
      creation: Schema.Struct({
        org: Schema.Struct({ ...orgFieldsV1, ...memberships }),
        ...memberships,
        ...requestAttributes
      }),
      change: Schema.Struct(orgFieldsV1)
    }),
    HttpApiEndpoint.delete("delete", "/:org_id", {
      disableCodecs: true,
      params: path,
      success: HttpApiSchema.NoContent
    }).annotate(RequiredLevel, "write")
  )
  .prefix("/v1/orgs")
  .annotateEndpoints(Resource, "org")
  .pipe(requireTenantAccess) {}
