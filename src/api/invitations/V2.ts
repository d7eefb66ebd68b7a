import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { invitationSorts, invitationStates, invitationTypes } from "#domain/Invitation"
import { RequiredLevel, Resource, requireTenantAccess, Wrapper } from "../Access.ts"
import { OrgItem } from "../memberships/V2.ts"
import { EmailText } from "../provisioning/Fields.ts"
import {
  Choice,
  listOf,
  MaybeText,
  MaybeTime,
  maybe,
  Permissions,
  pageQuery,
  realmQuery,
  requestAttributes,
  Text,
  TimeT
} from "../Wire.ts"

/** An invitation, with its org if it is an invitation to one. `token` is null below level `write`. */
export const InvitationBody = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("invitation"),
  invitation_type: Schema.String,
  realm_id: Schema.String,
  created_at: Schema.Finite,
  email: Schema.String,
  expires_at: Schema.Finite,
  invited_at: MaybeTime,
  inviting_user_id: MaybeText,
  org_id: MaybeText,
  auth_provider_id: MaybeText,
  locale: Schema.String,
  permissions: Schema.Array(Schema.String),
  token: MaybeText,
  org: Schema.optionalKey(OrgItem)
}).annotate({ identifier: "Invitation" })

/** What a caller may change of an invitation (`v2.invitation`). */
export const invitationFields = { permissions: maybe(Permissions), expires_at: maybe(TimeT) }

const newFields = {
  invitation_type: Choice(invitationTypes),
  email: maybe(EmailText),
  org_id: maybe(Text()),
  inviting_user_id: maybe(Text()),
  auth_provider_id: maybe(Text()),
  locale: maybe(Text()),
  ...invitationFields
}

/** What a caller may set when an invitation is sent, inside the wrapper or without it (C34). */
const sending = { expires_at: invitationFields.expires_at }

const path = { invitation_id: Schema.String }

/** Invitations of `/v2` (`v2.invitations`). */
export class InvitationsV2 extends HttpApiGroup.make("v2.invitations")
  .add(
    HttpApiEndpoint.get("list", "/", {
      disableCodecs: true,
      query: {
        ...pageQuery(invitationSorts),
        invitation_type: Schema.optionalKey(Choice(invitationTypes)),
        org_id: Schema.optionalKey(Text()),
        state: Schema.optionalKey(Choice(invitationStates)),
        email: Schema.optionalKey(EmailText)
      },
      success: listOf(InvitationBody)
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.get("get", "/:invitation_id", {
      disableCodecs: true,
      params: path,
      query: realmQuery,
      success: InvitationBody
    }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.post("create", "/", {
      disableCodecs: true,
      payload: Schema.Struct({ invitation: Schema.Struct(newFields), ...requestAttributes }),
      success: InvitationBody.pipe(HttpApiSchema.status(201))
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "invitation"),
    HttpApiEndpoint.put("update", "/:invitation_id", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({ invitation: Schema.Struct(invitationFields), ...requestAttributes }),
      success: InvitationBody
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "invitation"),
    HttpApiEndpoint.post("invite", "/:invitation_id/invite", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({ invitation: maybe(Schema.Struct(sending)), ...sending, ...requestAttributes }),
      success: InvitationBody
    }).annotate(RequiredLevel, "write"),
    HttpApiEndpoint.delete("delete", "/:invitation_id", {
      disableCodecs: true,
      params: path,
      success: HttpApiSchema.NoContent
    }).annotate(RequiredLevel, "write")
  )
  .prefix("/v2/invitations")
  .annotateEndpoints(Resource, "invitation")
  .pipe(requireTenantAccess) {}
