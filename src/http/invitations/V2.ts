import { Effect } from "effect"
import { Api } from "#api/Api"
import { Invitations } from "#core/invitations/Invitations"
import { canonicalEmail } from "#domain/Email"
import { withKnownProblems } from "#domain/KnownProblems"
import type { Problem } from "#domain/Rejected"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { linkNext, mergeParameter, requestedPage, utcFromTimeT } from "../WireMapping.ts"
import { invitationBody } from "./Bodies.ts"
import { invitationChanges } from "./Requests.ts"

/** `/v2/invitations` */
export const InvitationsHandlersV2 = handlerGroup(
  Api,
  "v2.invitations",
  Effect.fn(function* (handlers) {
    const invitations = yield* Invitations
    const { Rejected, InvitationNotFound, RealmNotFound, RateLimited } = wireErrors

    return handlers.handleAll({
      list: ({ query }) => {
        const filter = {
          invitationType: query.invitation_type,
          orgId: query.org_id,
          state: query.state,
          // A malformed email matches nothing.
          email: query.email === undefined ? undefined : (canonicalEmail(query.email) ?? "")
        }
        return Effect.gen(function* () {
          const page = yield* invitations.list(filter, requestedPage(query, "id"))
          yield* linkNext(page)
          return { collection: yield* Effect.forEach(page.items, invitationBody), more_results: page.more }
        }).pipe(Effect.catchTags({ InvitationNotFound }))
      },
      get: ({ params }) =>
        invitations
          .get(params.invitation_id)
          .pipe(Effect.flatMap(invitationBody), Effect.catchTags({ InvitationNotFound })),
      create: ({ payload: { invitation: sent } }) =>
        invitations
          .create({
            invitationType: sent.invitation_type,
            email: sent.email ?? null,
            orgId: sent.org_id ?? null,
            invitingUserId: sent.inviting_user_id ?? null,
            authProviderId: sent.auth_provider_id ?? null,
            appId: sent.client_app_id ?? null,
            locale: sent.locale ?? null,
            ...invitationChanges(sent)
          })
          .pipe(Effect.flatMap(invitationBody), Effect.catchTags({ Rejected, RealmNotFound, RateLimited })),
      update: ({ params, payload }) =>
        invitations
          .update(params.invitation_id, invitationChanges(payload.invitation))
          .pipe(Effect.flatMap(invitationBody), Effect.catchTags({ Rejected, InvitationNotFound, RealmNotFound })),
      invite: ({ params, payload }) =>
        Effect.gen(function* () {
          const problems: Array<Problem> = []
          const until = mergeParameter("expires_at", payload.invitation?.expires_at, payload.expires_at, problems)
          const expiresAt = until === undefined ? undefined : utcFromTimeT(until)
          const invited = withKnownProblems(problems, invitations.invite(params.invitation_id, expiresAt))
          return yield* invitationBody(yield* invited)
        }).pipe(Effect.catchTags({ Rejected, InvitationNotFound, RealmNotFound, RateLimited })),
      delete: ({ params }) =>
        invitations.delete(params.invitation_id).pipe(Effect.catchTags({ InvitationNotFound, RealmNotFound }))
    })
  })
)
