import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { userSorts, userStates } from "#domain/User"
import { NameInPath, RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { Presented } from "../login/Fields.ts"
import { MembershipBody, UserItem, userItemFields } from "../memberships/V2.ts"
import { newUserFieldsV2, orgFieldsV2, TypedEmail, userFieldsV2 } from "../provisioning/Fields.ts"
import { beside, Choice, Custom, expanding, inRealm, listOf, paging, Text } from "../Wire.ts"
import { orgsOfNewUser } from "./Fields.ts"

/** A user read, created or changed. */
export const UserBody = Schema.Struct({
  ...userItemFields,
  custom: Custom,
  credentials: Schema.Array(
    Schema.Struct({ id: Schema.String, object: Schema.Literal("credential"), credential_type: Schema.String })
  ),
  membership_count: Schema.Finite,
  memberships: Schema.optionalKey(Schema.Array(MembershipBody)),
  new_record: Schema.optionalKey(Schema.Literal(true))
}).annotate({ identifier: "User" })

const along = orgsOfNewUser(orgFieldsV2)

const path = { user_id: Schema.String }

/** Users of `/v2` (api-v2 section 4, "Users"). `user_id`: id or e-mail. */
export class UsersV2 extends HttpApiGroup.make("v2.users")
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
      payload: Schema.Struct({ user: Schema.Struct({ ...newUserFieldsV2, ...along }), ...along, ...beside }),
      success: UserBody.pipe(HttpApiSchema.status(201))
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "user"),
    HttpApiEndpoint.put("update", "/:user_id", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({ user: Schema.Struct(userFieldsV2), ...beside }),
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
