import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { orgStates } from "#domain/Org"
import { RequiredLevel, Resource, requireTenantAccess } from "../Access.ts"
import { MembershipBody, OrgItem, orgItemFields } from "../memberships/V2.ts"
import { newUserFieldsV2, orgFieldsV2 } from "../provisioning/Fields.ts"
import { Custom, QueryFlag, realmQuery, requestAttributes } from "../Wire.ts"
import { newOrgMemberships, orgs, path } from "./Endpoints.ts"

/** An org read, created or changed. */
export const OrgBody = Schema.Struct({
  ...orgItemFields,
  custom: Custom,
  memberships: Schema.optionalKey(Schema.Array(MembershipBody)),
  new_record: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "Org" })

const memberships = newOrgMemberships(newUserFieldsV2)

/** Orgs of `/v2`. A deletion closes the org, unless it is forced. */
export class OrgsV2 extends HttpApiGroup.make("v2.orgs")
  .add(
    ...orgs({
      item: OrgItem,
      body: OrgBody,
      states: orgStates,
      creation: Schema.Struct({
        org: Schema.Struct({ ...orgFieldsV2, ...memberships }),
        ...memberships,
        ...requestAttributes
      }),
      change: Schema.Struct(orgFieldsV2)
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
