import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { orgSorts, orgStates } from "#domain/Org"
import { Answer, Idempotency, RequiredLevel, Resource, TenantAccess, Wrapper } from "../Access.ts"
import { beside, Choice, expanding, FlagWord, Ids, inRealm, listOf, maybe, paging, Permissions, Text } from "../Wire.ts"
import { OrgBody, OrgItem } from "./Bodies.ts"
import { orgFields } from "./OrgFields.ts"
import { newUserFields } from "./UserFields.ts"

const User = Schema.Struct(newUserFields).annotate({ problem: { code: "not_object" } })

/** What may be asked for with a new org: inside the wrapper or beside it (decision 7). */
const extras = { user_ids: maybe(Ids), user: maybe(User), permissions: maybe(Permissions) }

const path = { org_id: Schema.String }

/** Orgs of `/v2` (api-v2 section 4, "Orgs"). */
export class Orgs extends HttpApiGroup.make("v2.orgs")
  .add(
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: {
        ...paging(orgSorts),
        reference: Schema.optionalKey(Text()),
        state: Schema.optionalKey(Choice(orgStates)),
        expand: Schema.optionalKey(expanding(["custom"]))
      },
      success: listOf(OrgItem)
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.get("get", "/:org_id", {
      disableCodecs: true,
      params: path,
      query: { ...inRealm, expand: Schema.optionalKey(expanding(["memberships"])) },
      success: OrgBody
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.post("create", "/", {
      disableCodecs: true,
      payload: Schema.Struct({ org: Schema.Struct({ ...orgFields, ...extras }), ...extras, ...beside }),
      success: OrgBody.pipe(HttpApiSchema.status(201))
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "org"),
    HttpApiEndpoint.put("update", "/:org_id", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({ org: Schema.Struct(orgFields), ...beside }),
      success: OrgBody
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "org"),
    HttpApiEndpoint.delete("delete", "/:org_id", {
      disableCodecs: true,
      params: path,
      query: { ...inRealm, force: Schema.optionalKey(FlagWord) },
      success: [OrgBody, HttpApiSchema.Accepted]
    }).annotate(RequiredLevel, "write")
  )
  .prefix("/v2/orgs")
  .annotateEndpoints(Resource, "org")
  .middleware(Idempotency)
  .middleware(TenantAccess)
  .middleware(Answer) {}
