import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { userStates } from "#domain/User"
import { NameInPath, RequiredLevel, Resource, requireTenantAccess } from "../Access.ts"
import { MembershipBody, UserItem, userItemFields } from "../memberships/V1.ts"
import { newUserFieldsV1, orgFieldsV1, userFieldsV1 } from "../provisioning/Fields.ts"
import { Choice, Custom, expandQuery, listOf, MaybeText, pageQuery, requestAttributes, Text } from "../Wire.ts"
import { users } from "./Endpoints.ts"
import { newUserMemberships } from "./Fields.ts"

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

/** A user read, created or changed. API users have `api_key` if the realm keeps it readable and the level of the key allows it. */
export const UserBody = Schema.Struct(userBodyFields).annotate({ identifier: "UserV1" })

const memberships = newUserMemberships(orgFieldsV1)

/** Users of `/v1` (`v1.users`). `user_id` is an id or a username. */
export class UsersV1 extends HttpApiGroup.make("v1.users")
  .add(
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: {
        ...pageQuery(["id", "last_login", "name", "name_alt", "username"]),
        reference: Schema.optionalKey(Text()),
        state: Schema.optionalKey(Choice(userStates)),
        user_type: Schema.optionalKey(Choice(["all", "human", "api"])),
        ...expandQuery("custom")
      },
      success: listOf(UserItem)
    }).annotate(RequiredLevel, "read"),
    ...users({
      body: UserBody,
      creation: Schema.Struct({
        user: Schema.Struct({ ...newUserFieldsV1, ...memberships }),
        ...memberships,
        ...requestAttributes
      }),
      change: Schema.Struct(userFieldsV1)
    })
  )
  .prefix("/v1/users")
  .annotateEndpoints(Resource, "user")
  .annotateEndpoints(NameInPath, () => true)
  .pipe(requireTenantAccess) {}
