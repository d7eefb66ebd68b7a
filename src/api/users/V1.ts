import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { userStates } from "#domain/User"
import { NameInPath, RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { MembershipBody, UserItem, userItemFields } from "../memberships/V1.ts"
import { newUserFieldsV1, orgFieldsV1, userFieldsV1 } from "../provisioning/Fields.ts"
import { beside, Choice, Custom, expanding, inRealm, listOf, MaybeText, paging, Text } from "../Wire.ts"
import { orgsOfNewUser } from "./Fields.ts"

/** What a user read, created or changed shows. */
export const userBodyFields = {
  ...userItemFields,
  custom: Custom,
  credentials: Schema.Array(
    Schema.Struct({ id: Schema.String, object: Schema.Literal("credential"), credential_type: Schema.String })
  ),
  membership_count: Schema.Finite,
  api_key: Schema.optionalKey(MaybeText),
  memberships: Schema.optionalKey(Schema.Array(MembershipBody)),
  new_record: Schema.optionalKey(Schema.Literal(true))
}

/** A user read, created or changed. `api_key`, of api users: where the realm keeps it readable and the caller may use it. */
export const UserBody = Schema.Struct(userBodyFields).annotate({ identifier: "UserV1" })

const along = orgsOfNewUser(orgFieldsV1)

const path = { user_id: Schema.String }

/** Users of `/v1` (api-v1 section 4, "Users"). `user_id`: id or username. */
export class UsersV1 extends HttpApiGroup.make("v1.users")
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
      payload: Schema.Struct({ user: Schema.Struct({ ...newUserFieldsV1, ...along }), ...along, ...beside }),
      success: UserBody.pipe(HttpApiSchema.status(201))
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "user"),
    HttpApiEndpoint.put("update", "/:user_id", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({ user: Schema.Struct(userFieldsV1), ...beside }),
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
