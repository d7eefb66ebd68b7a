import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { orgStates } from "#domain/Org"
import { RequiredLevel, Resource, requireTenantAccess } from "../Access.ts"
import { describe } from "../Description.ts"
import { custom, newRecord, org } from "../memberships/Members.ts"
import { MembershipBody, OrgItem } from "../memberships/V2.ts"
import { newUserFieldsV2, OrgInput, orgFieldsV2 } from "../provisioning/Fields.ts"
import { countedListOf, QueryFlag, realmQuery, requestAttributes, searchQuery } from "../Wire.ts"
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
}).annotate({ identifier: "Org" })

const memberships = newOrgMemberships(newUserFieldsV2, "OrgUser")

/** Orgs of `/v2`. Deleting an org closes it, unless the deletion is forced. */
export class OrgsV2 extends HttpApiGroup.make("v2.orgs")
  .add(
    ...orgs({
      expands: ["memberships", "custom"],
      filters: searchQuery,
      list: countedListOf(OrgItem),
      listExpands: ["custom", "membership_count", "total_results"],
      body: OrgBody,
      states: orgStates,
      creation: Schema.Struct({
        org: describe(
          Schema.Struct({ ...orgFieldsV2, ...memberships }).annotate({ identifier: "NewOrg" }),
          "The new org."
        ),
        ...memberships,
        ...requestAttributes
      }),
      change: OrgInput
    }),
    HttpApiEndpoint.delete("delete", "/:org_id", {
      disableCodecs: true,
      params: path,
      query: { ...realmQuery, force: Schema.optionalKey(QueryFlag) },
      success: [OrgBody, HttpApiSchema.Accepted]
    }).annotate(RequiredLevel, "write")
  )
  .prefix("/v2/orgs")
  .annotateEndpoints(Resource, "org")
  .pipe(requireTenantAccess) {}
