import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { userSorts, userStates } from "#domain/User"
import { NameInPath, RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { MembershipBody, UserItem, userItemFields } from "../memberships/V2.ts"
import { EmailText, newUserFieldsV2, orgFieldsV2, userFieldsV2 } from "../provisioning/Fields.ts"
import { Choice, Custom, expandQuery, listOf, maybe, pageQuery, requestAttributes, SecretText, Text } from "../Wire.ts"
import { path, users } from "./Endpoints.ts"
import { newUserMemberships } from "./Fields.ts"

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

const memberships = newUserMemberships(orgFieldsV2)

const [get, create, update, remove] = users({
  body: UserBody,
  creation: Schema.Struct({
    user: Schema.Struct({ ...newUserFieldsV2, ...memberships }),
    ...memberships,
    ...requestAttributes
  }),
  change: Schema.Struct(userFieldsV2)
})

/** Users of `/v2` (`v2.users`). `user_id` is an id or an e-mail. */
export class UsersV2 extends HttpApiGroup.make("v2.users")
  .add(
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: {
        ...pageQuery(userSorts),
        email: Schema.optionalKey(EmailText),
        reference: Schema.optionalKey(Text()),
        username: Schema.optionalKey(Text()),
        state: Schema.optionalKey(Choice(userStates)),
        ...expandQuery("custom")
      },
      success: listOf(UserItem)
    }).annotate(RequiredLevel, "read"),
    get,
    create,
    update,
    HttpApiEndpoint.post("accept_invitation", "/:user_id/accept_invitation", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({ user: Schema.Struct({ token: maybe(SecretText) }), ...requestAttributes }),
      success: UserBody
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "user"),
    remove
  )
  .prefix("/v2/users")
  .annotateEndpoints(Resource, "user")
  .annotateEndpoints(NameInPath, (text) => text.includes("@"))
  .pipe(requireTenantAccess) {}
