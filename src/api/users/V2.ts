import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { userSorts, userStates } from "#domain/User"
import { AllowsSupport, NameInPath, RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { describe, objectType } from "../Description.ts"
import { CredentialItem, custom, included, newRecord } from "../memberships/Members.ts"
import { MembershipBody, UserItem, userItemFields } from "../memberships/V2.ts"
import { EmailText, newUserFieldsV2, OrgInput, UserInput } from "../provisioning/Fields.ts"
import {
  Choice,
  countedListOf,
  expandQuery,
  MaybeTime,
  maybe,
  pageQuery,
  realmQuery,
  requestAttributes,
  SecretText,
  searchQuery,
  Text
} from "../Wire.ts"
import { UserBlocksBody } from "./Blocks.ts"
import { path, users } from "./Endpoints.ts"
import { newUserMemberships } from "./Fields.ts"
import { TrustedDevicesBody } from "./TrustedDevices.ts"

/** A complete user. */
export const UserBody = Schema.Struct({
  ...userItemFields,
  custom,
  credentials: describe(Schema.Array(CredentialItem), "The user's credentials, without their secrets."),
  deletion_at: describe(
    MaybeTime,
    "When the account will be deleted, because the user asked for it on the hosted pages; null if it won't be. Read-only."
  ),
  membership_count: describe(Schema.Finite, "The number of the user's memberships.", { type: "integer", minimum: 0 }),
  memberships: describe(Schema.optionalKey(Schema.Array(MembershipBody)), included.memberships),
  new_record: newRecord
}).annotate({ identifier: "User" })

const memberships = newUserMemberships(OrgInput)

const [get, create, update, remove] = users({
  expands: ["memberships", "custom", "credentials"],
  body: UserBody,
  creation: Schema.Struct({
    user: describe(
      Schema.Struct({ ...newUserFieldsV2, ...memberships }).annotate({ identifier: "NewUser" }),
      "The new user."
    ),
    ...memberships,
    ...requestAttributes
  }),
  change: UserInput
})

/** The number of sessions that were ended. */
export const EndedSessions = Schema.Struct({
  object: objectType("ended_sessions"),
  sessions: describe(Schema.Finite, "The number of sessions that were ended.", { type: "integer", minimum: 0 })
}).annotate({ identifier: "EndedSessions" })

/** Users of `/v2` (`v2.users`). `user_id` is an ID or an email. */
export class UsersV2 extends HttpApiGroup.make("v2.users")
  .add(
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: {
        ...pageQuery(userSorts),
        ...searchQuery,
        email: Schema.optionalKey(EmailText),
        reference: Schema.optionalKey(Text()),
        username: Schema.optionalKey(Text()),
        state: Schema.optionalKey(Choice(userStates)),
        ...expandQuery("custom", "credentials", "orgs", "total_results")
      },
      success: countedListOf(UserItem)
    }).annotate(RequiredLevel, "read"),
    get,
    create,
    update,
    HttpApiEndpoint.post("accept_invitation", "/:user_id/accept_invitation", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({
        user: describe(
          Schema.Struct({ token: describe(maybe(SecretText), "The invitation's token. Required.") }),
          "The invitation to accept."
        ),
        ...requestAttributes
      }),
      success: UserBody
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "user"),
    HttpApiEndpoint.post("end_sessions", "/:user_id/end_sessions", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({
        except: describe(maybe(Text()), "The ID of a session to keep. Default: none."),
        ...requestAttributes
      }),
      success: EndedSessions
    })
      .annotate(RequiredLevel, "write")
      .annotate(AllowsSupport, true),
    HttpApiEndpoint.get("blocks", "/:user_id/blocks", {
      disableCodecs: true,
      params: path,
      query: realmQuery,
      success: UserBlocksBody
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.delete("unblock", "/:user_id/blocks", {
      disableCodecs: true,
      params: path,
      success: HttpApiSchema.NoContent
    })
      .annotate(RequiredLevel, "write")
      .annotate(AllowsSupport, true),
    HttpApiEndpoint.get("trusted_devices", "/:user_id/trusted_devices", {
      disableCodecs: true,
      params: path,
      query: realmQuery,
      success: TrustedDevicesBody
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.delete("untrust_devices", "/:user_id/trusted_devices", {
      disableCodecs: true,
      params: path,
      success: HttpApiSchema.NoContent
    })
      .annotate(RequiredLevel, "write")
      .annotate(AllowsSupport, true),
    HttpApiEndpoint.delete("cancel_deletion", "/:user_id/deletion", {
      disableCodecs: true,
      params: path,
      success: HttpApiSchema.NoContent
    })
      .annotate(RequiredLevel, "write")
      .annotate(AllowsSupport, true),
    remove
  )
  .prefix("/v2/users")
  .annotateEndpoints(Resource, "user")
  .annotateEndpoints(NameInPath, (text) => text.includes("@"))
  .pipe(requireTenantAccess) {}
