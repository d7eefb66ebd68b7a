import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { userStates } from "#domain/User"
import { NameInPath, RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { orgFields } from "../nested/OrgFieldsV1.ts"
import { newUserFields, userFields } from "../nested/UserFieldsV1.ts"
import { UserBody, UserItem } from "../nested/V1.ts"
import { beside, Choice, expanding, Ids, inRealm, listOf, maybe, Permissions, paging, Text } from "../Wire.ts"

const Org = Schema.Struct(orgFields).annotate({ problem: { code: "not_object" } })

/** What may be asked for with a new user: inside the wrapper or beside it (decision 7). */
const extras = { org_ids: maybe(Ids), org: maybe(Org), permissions: maybe(Permissions) }

const path = { user_id: Schema.String }

/** Users of `/v1` (api-v1 section 4, "Users"). `user_id`: id or username. */
export class Users extends HttpApiGroup.make("v1.users")
  .add(
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: {
        ...paging(["id", "last_login", "name", "name_alt", "username"]),
        reference: Schema.optionalKey(Text()),
        state: Schema.optionalKey(Choice(userStates)),
        user_type: Schema.optionalKey(Choice(["all", "human", "api"])),
        expand: Schema.optionalKey(expanding(["custom"]))
      },
      success: listOf(UserItem)
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.get("get", "/:user_id", {
      disableCodecs: true,
      params: path,
      query: { ...inRealm, expand: Schema.optionalKey(expanding(["memberships"])) },
      success: UserBody
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.post("create", "/", {
      disableCodecs: true,
      payload: Schema.Struct({ user: Schema.Struct({ ...newUserFields, ...extras }), ...extras, ...beside }),
      success: UserBody.pipe(HttpApiSchema.status(201))
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "user"),
    HttpApiEndpoint.put("update", "/:user_id", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({ user: Schema.Struct(userFields), ...beside }),
      success: UserBody
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "user"),
    HttpApiEndpoint.delete("delete", "/:user_id", {
      disableCodecs: true,
      params: path,
      success: HttpApiSchema.NoContent
    }).annotate(RequiredLevel, "write")
  )
  .prefix("/v1/users")
  .annotateEndpoints(Resource, "user")
  .annotateEndpoints(NameInPath, () => true)
  .pipe(requireTenantAccess) {}
