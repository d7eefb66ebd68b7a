import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { INVITATION_DAYS, invitationSorts, invitationStates, invitationTypes } from "#domain/Invitation"
import { AllowsSupport, RequiredLevel, Resource, RulesFirst, requireTenantAccess, Wrapper } from "../Access.ts"
import { createdAt, describe, objectType } from "../Description.ts"
import { permissionsText } from "../memberships/Fields.ts"
import { realmId } from "../memberships/Members.ts"
import { OrgItem } from "../memberships/V2.ts"
import { EmailText, emailKeywords } from "../provisioning/Fields.ts"
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

const typeText =
  "The type of invitation: to join an org (`org`), to verify an email before a sign-up (`preverify`), from another user (`referral`), or at the person's own request (`request`)."

/** An invitation, and its org if it has one. For callers below level `write`, `token` is null. */
export const InvitationBody = Schema.Struct({
  id: describe(Schema.String, "The invitation's ID, which begins with `nvt_`."),
  object: objectType("invitation"),
  invitation_type: describe(Schema.String, typeText, { enum: invitationTypes }),
  realm_id: realmId,
  created_at: createdAt,
  email: describe(Schema.String, "The email of the invited person, in lower case."),
  expires_at: describe(
    Schema.Finite,
    "Unix time in seconds, with up to three decimals, at which the invitation expires."
  ),
  invited_at: describe(
    MaybeTime,
    "Unix time in seconds, with up to three decimals, at which the invitation was last sent; null if not yet."
  ),
  inviting_user_id: describe(MaybeText, "The ID of the inviting user; null if there is none or the user was deleted."),
  org_id: describe(MaybeText, "The ID of the org that the person joins; null if there is none."),
  auth_provider_id: describe(
    MaybeText,
    "The ID of the auth provider whose login the email links to; null for a link to sign up or log in."
  ),
  client_app_id: describe(
    MaybeText,
    "The ID of the connected app whose pages the email links to; null for the realm's oldest active app, or if the app was deleted."
  ),
  locale: describe(Schema.String, "The locale of the email."),
  permissions: describe(Schema.Array(Schema.String), "The permissions that the person gets in the org."),
  token: describe(MaybeText, "The token for accepting the invitation. Null for keys below level `write`."),
  org: describe(Schema.optionalKey(OrgItem), "The org. Only for the type `org`.")
}).annotate({ identifier: "Invitation" })

/** The members of an invitation that a caller can change (`v2.invitation`). */
export const invitationFields = {
  permissions: describe(maybe(Permissions), permissionsText),
  expires_at: describe(
    maybe(TimeT),
    `Unix time in seconds, in the future, at which the invitation expires. The first time the invitation is sent, the expiry is reset to ${INVITATION_DAYS} days ahead, unless that request sets another. Default: ${INVITATION_DAYS} days from now; in an update, no change.`
  )
}

const newFields = {
  invitation_type: describe(Choice(invitationTypes), typeText),
  email: describe(maybe(EmailText), "The email of the person to invite. Required.", emailKeywords),
  org_id: describe(
    maybe(Text()),
    "The ID of the org that the person joins. Required for the type `org`. Default: none."
  ),
  inviting_user_id: describe(maybe(Text()), "The ID of the inviting user. Default: none."),
  auth_provider_id: describe(
    maybe(Text()),
    "The ID of the auth provider whose login the email links to, other than `password` and `totp`. Default: a link to sign up or log in."
  ),
  client_app_id: describe(
    maybe(Text()),
    "The ID of the connected app whose pages the email links to, which must be active. Default: the oldest app that is active when the email is sent."
  ),
  locale: describe(maybe(Text()), "The locale of the email. Default: the realm's `default_locale`."),
  ...invitationFields
}

/** The settings that control how an invitation is sent, inside the wrapper or next to it (C34). */
const sending = {
  expires_at: describe(
    maybe(TimeT),
    `Unix time in seconds, in the future, at which the invitation expires. Default: ${INVITATION_DAYS} days from now the first time, even if the invitation had another \`expires_at\`; after that, no change.`
  )
}

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
      payload: Schema.Struct({
        invitation: describe(Schema.Struct(newFields), "The new invitation."),
        ...requestAttributes
      }),
      success: InvitationBody.pipe(HttpApiSchema.status(201))
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "invitation")
      .annotate(RulesFirst, true),
    HttpApiEndpoint.put("update", "/:invitation_id", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({
        invitation: describe(Schema.Struct(invitationFields), "The changes."),
        ...requestAttributes
      }),
      success: InvitationBody
    })
      .annotate(RequiredLevel, "write")
      .annotate(Wrapper, "invitation")
      .annotate(RulesFirst, true),
    HttpApiEndpoint.post("invite", "/:invitation_id/invite", {
      disableCodecs: true,
      params: path,
      payload: Schema.Struct({
        invitation: describe(
          maybe(Schema.Struct(sending)),
          "The same members inside a wrapper, as an alternative to the ones next to it."
        ),
        ...sending,
        ...requestAttributes
      }),
      success: InvitationBody
    })
      .annotate(RequiredLevel, "write")
      .annotate(AllowsSupport, true),
    HttpApiEndpoint.delete("delete", "/:invitation_id", {
      disableCodecs: true,
      params: path,
      success: HttpApiSchema.NoContent
    }).annotate(RequiredLevel, "write")
  )
  .prefix("/v2/invitations")
  .annotateEndpoints(Resource, "invitation")
  .pipe(requireTenantAccess) {}
