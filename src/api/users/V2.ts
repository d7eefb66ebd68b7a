import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { userSorts, userStates } from "#domain/User"
import { NameInPath, RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { Presented } from "../login/Fields.ts"
import { orgFields } from "../nested/OrgFieldsV2.ts"
import { newUserFields, TypedEmail, userFields } from "../nested/UserFieldsV2.ts"
import { UserBody, UserItem } from "../nested/V2.ts"
import { beside, Choice, expanding, Ids, inRealm, listOf, maybe, Permissions, paging, Text } from "../Wire.ts"

const Org = Schema.Struct(orgFields).annotate({ problem: { code: "not_object" } })

/** What may be asked for with a new user: inside the wrapper or beside it (decision 7). */
const extras = { org_ids: maybe(Ids), org: maybe(Org), permissions: maybe(Permissions) }

const path = { user_id: Schema.String }

/** Users of `/v2` (api-v2 section 4, "Users"). `user_id`: id or e-mail. */
export class Users extends HttpApiGroup.make("v2.users")
  .add(
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: {
        ...paging(userSorts),
        email: Schema.optionalKey(TypedEmail),
        reference: Schema.optionalKey(Text()),
        username: Schema.optionalKey(Text()),
        state: Schema.optionalKey(Choice(userStates)),
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
    HttpApiEndpoint.post("accept_invitation", "/:user_id/accept_invitation", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({ user: Schema.Struct({ token: Presented }), ...beside }),
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
  .prefix("/v2/users")
  .annotateEndpoints(Resource, "user")
  .annotateEndpoints(NameInPath, (text) => text.includes("@"))
  .pipe(requireTenantAccess) {}
