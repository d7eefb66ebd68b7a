import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { userStates } from "#domain/User"
import { NameInPath, RequiredLevel, Resource, requireTenantAccess } from "../Access.ts"
import { describe } from "../Description.ts"
import { CredentialItem, custom, included, newRecord } from "../memberships/Members.ts"
import { MembershipBody, UserItem, userItemFields } from "../memberships/V1.ts"
import { newUserFieldsV1, OrgInputV1, UserInputV1 } from "../provisioning/Fields.ts"
import { Choice, expandQuery, listOf, MaybeText, pageQuery, requestAttributes, Text } from "../Wire.ts"
import { users } from "./Endpoints.ts"
import { newUserMemberships } from "./Fields.ts"

/** The members of a complete user. */
export const userBodyFields = {
  ...userItemFields,
  custom,
  credentials: describe(Schema.Array(CredentialItem), "The user's credentials, without their secrets."),
  membership_count: describe(Schema.Finite, "The number of the user's memberships.", { type: "integer", minimum: 0 }),
  api_key: describe(
    Schema.optionalKey(MaybeText),
    "The oldest API key; null if it can't be read, or if the caller's level is below `write`. Only present for API users."
  ),
  memberships: describe(Schema.optionalKey(Schema.Array(MembershipBody)), included.memberships),
  new_record: newRecord
}

/**
 * A complete user. API users have `api_key` if the realm stores it readable and the caller's
 * level is high enough.
 */
export const UserBody = Schema.Struct(userBodyFields).annotate({ identifier: "UserV1" })

const memberships = newUserMemberships(OrgInputV1)

/** Users of `/v1` (`v1.users`). `user_id` is an ID or a username. */
export class UsersV1 extends HttpApiGroup.make("v1.users")
  .add(
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: {
        ...pageQuery(["id", "last_login", "name", "name_alt", "username"]),
        reference: Schema.optionalKey(Text()),
        state: Schema.optionalKey(Choice(userStates)),
        user_type: Schema.optionalKey(Choice(["all", "human", "api"])),
        ...expandQuery("custom", "credentials")
      },
      success: listOf(UserItem)
    }).annotate(RequiredLevel, "read"),
    ...users({
      expands: ["memberships"],
      body: UserBody,
      creation: Schema.Struct({
        user: describe(
          Schema.Struct({ ...newUserFieldsV1, ...memberships }).annotate({ identifier: "NewUserV1" }),
          "The new user."
        ),
        ...memberships,
        ...requestAttributes
      }),
      change: UserInputV1
    })
  )
  .prefix("/v1/users")
  .annotateEndpoints(Resource, "user")
  .annotateEndpoints(NameInPath, () => true)
  .pipe(requireTenantAccess) {}
