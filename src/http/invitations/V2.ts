import { Effect, type Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "#api/Api"
import type { changeable } from "#api/invitations/V2"
import { Invitations } from "#core/invitations/Invitations"
import { allows, Caller } from "#domain/Caller"
import { canonicalEmail } from "#domain/Email"
import type { InvitationChanges, OpenInvitation } from "#domain/Invitation"
import { parsePermissions } from "#domain/Permission"
import { words } from "../Errors.ts"
import { invitationBody } from "../memberships/BodiesV2.ts"
import { either, given, pageAsked, utcOf } from "../WireMapping.ts"

/** When nobody says until when, or says null, that is the core's to say. */
const changesOf = (sent: Schema.Struct<typeof changeable>["Type"]): InvitationChanges =>
  given({
    permissions: sent.permissions === undefined ? undefined : parsePermissions(sent.permissions ?? []),
    expiresAt: typeof sent.expires_at === "number" ? utcOf(sent.expires_at) : undefined
  })

/** An invitation as a caller may see it: its token, which lets in whoever holds it, from level `write` (decision 6). */
const body = (invitation: OpenInvitation) =>
  Effect.map(Caller, ({ level }) => invitationBody(invitation, allows(level, "write")))

/** `/v2/invitations`. */
export const InvitationsHandlers = HttpApiBuilder.group(
  Api,
  "v2.invitations",
  Effect.fn(function* (handlers) {
    const invitations = yield* Invitations
    const { Rejected, InvitationNotFound, RealmNotFound, RateLimited } = words

    return handlers.handleAll({
      list: ({ query }) => {
        const filter = {
          invitationType: query.invitation_type,
          orgId: query.org_id,
          state: query.state,
          // What is no e-mail is nobody's.
          email: query.email === undefined ? undefined : (canonicalEmail(query.email) ?? "")
        }
        return Effect.gen(function* () {
          const { items, more } = yield* invitations.list(filter, pageAsked(query, "id"))
          return { collection: yield* Effect.forEach(items, body), more_results: more }
        }).pipe(Effect.catchTags({ InvitationNotFound }))
      },
      get: ({ params }) =>
        invitations.get(params.invitation_id).pipe(Effect.flatMap(body), Effect.catchTags({ InvitationNotFound })),
      create: ({ payload: { invitation: sent } }) =>
        invitations
          .create({
            invitationType: sent.invitation_type,
            email: sent.email ?? null,
            orgId: sent.org_id ?? null,
            invitingUserId: sent.inviting_user_id ?? null,
            authProviderId: sent.auth_provider_id ?? null,
            locale: sent.locale ?? null,
            ...changesOf(sent)
          })
          .pipe(Effect.flatMap(body), Effect.catchTags({ Rejected, RealmNotFound, RateLimited })),
      update: ({ params, payload }) =>
        invitations
          .update(params.invitation_id, changesOf(payload.invitation))
          .pipe(Effect.flatMap(body), Effect.catchTags({ Rejected, InvitationNotFound, RealmNotFound })),
      invite: ({ params, payload }) =>
        Effect.gen(function* () {
          const until = yield* either("expires_at", payload.invitation?.expires_at, payload.expires_at)
          const expiresAt = until === undefined ? undefined : utcOf(until)
          return yield* body(yield* invitations.invite(params.invitation_id, expiresAt))
        }).pipe(Effect.catchTags({ Rejected, InvitationNotFound, RealmNotFound, RateLimited })),
      delete: ({ params }) =>
        invitations.delete(params.invitation_id).pipe(Effect.catchTags({ InvitationNotFound, RealmNotFound }))
    })
  })
)
