import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { orgStates } from "#domain/Org"
import { RequiredLevel, Resource, requireTenantAccess } from "../Access.ts"
import { MembershipBody, OrgItem, orgItemFields } from "../memberships/V2.ts"
import { newUserFieldsV2, orgFieldsV2 } from "../provisioning/Fields.ts"
import { beside, Custom, FlagWord, inRealm } from "../Wire.ts"
import { orgs, path, usersOfNewOrg } from "./Endpoints.ts"

/** An org read, created or changed. */
export const OrgBody = Schema.Struct({
  ...orgItemFields,
  custom: Custom,
  memberships: Schema.optionalKey(Schema.Array(MembershipBody)),
  new_record: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "Org" })

const along = usersOfNewOrg(newUserFieldsV2)

/** Orgs of `/v2`: deleting closes, unless it is forced. */
export class OrgsV2 extends HttpApiGroup.make("v2.orgs")
  .add(
    ...orgs({
      item: OrgItem,
      body: OrgBody,
      states: orgStates,
      creation: Schema.Struct({ org: Schema.Struct({ ...orgFieldsV2, ...along }), ...along, ...beside }),
      change: Schema.Struct(orgFieldsV2)
    }),
    HttpApiEndpoint.delete("delete", "/:org_id", {
      disableCodecs: true,
      params: path,
      query: { ...inRealm, force: Schema.optionalKey(FlagWord) },
      success: [OrgBody, HttpApiSchema.Accepted]
    }).annotate(RequiredLevel, "write")
  )
  .prefix("/v2/orgs")
  .annotateEndpoints(Resource, "org")
  .pipe(requireTenantAccess) {}
