import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RequiredLevel, Resource, requireTenantAccess } from "../Access.ts"
import { describe } from "../Description.ts"
import { custom, newRecord, org } from "../memberships/Members.ts"
import { MembershipBody, OrgItem } from "../memberships/V1.ts"
import { newUserFieldsV1, OrgInputV1, orgFieldsV1, orgStatesV1 } from "../provisioning/Fields.ts"
import { listOf, requestAttributes } from "../Wire.ts"
import { newOrgMemberships, orgs, path } from "./Endpoints.ts"

/** A complete org. */
export const OrgBody = Schema.Struct({
  ...org,
  custom,
  memberships: describe(
    Schema.optionalKey(Schema.Array(MembershipBody)),
    "The org's memberships with their users, with `expand=memberships`. For a new org, the memberships just created."
  ),
  new_record: newRecord
}).annotate({ identifier: "OrgV1" })

// Signup tokens are for users only, not for users with an org.
const { token: _, ...userFields } = newUserFieldsV1
const memberships = newOrgMemberships(userFields, "OrgUserV1")

/** Orgs of `/v1`. There is no state `closed`: deleting an org removes it. */
export class OrgsV1 extends HttpApiGroup.make("v1.orgs")
  .add(
    ...orgs({
      expands: ["memberships"],
      filters: {},
      list: listOf(OrgItem),
      listExpands: ["custom"],
      body: OrgBody,
      states: orgStatesV1,
      creation: Schema.Struct({
        org: describe(
          Schema.Struct({ ...orgFieldsV1, ...memberships }).annotate({ identifier: "NewOrgV1" }),
          "The new org."
        ),
        ...memberships,
        ...requestAttributes
      }),
      change: OrgInputV1
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
