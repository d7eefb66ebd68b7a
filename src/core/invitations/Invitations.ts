import { Context, DateTime, Effect, Equal, Layer } from "effect"
import { isBuiltInType } from "#domain/AuthProvider"
import { canonicalEmail, foldedEmail } from "#domain/Email"
import { changedMembers } from "#domain/EventChanges"
import { isId, type UserId } from "#domain/Ids"
import {
  INVITATION_DAYS,
  type Invitation,
  type InvitationChanges,
  InvitationNotFound,
  type InvitationType,
  type InvitationWithToken,
  type invitationSorts
} from "#domain/Invitation"
import { rejectIfAny } from "#domain/KnownProblems"
import type { RateLimited } from "#domain/Limit"
import { checkAfter, type Page, type PageOf, sortedPageOf } from "#domain/Page"
import { permissionProblems } from "#domain/Permission"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { firstRetainedId } from "#domain/RealmReset"
import { type Problem, problem, Rejected, rejection } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { randomSecret } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { ConnectedAppsRepo } from "#store/apps/ConnectedAppsRepo"
import { type InvitationFilter, InvitationsRepo, type NewInvitation } from "#store/orgs/InvitationsRepo"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { Journal } from "../events/Journal.ts"
import type { NewEvent } from "../events/NewEvent.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { NewMemberships } from "../provisioning/NewMemberships.ts"

type InvitationPage = PageOf<(typeof invitationSorts)[number]>

/** A request for an invitation. */
export interface InvitationCreation extends InvitationChanges {
  readonly invitationType: InvitationType
  readonly email: string | null
  readonly orgId: string | null
  readonly invitingUserId: string | null
  /** Whether the inviting user sends the invitation on the hosted pages. */
  readonly isSentByMember?: boolean
  readonly authProviderId: string | null
  readonly appId: string | null
  readonly locale: string | null
}

const relatedTo = ({ id, orgId }: Invitation) => ({ invitationId: id, ...(orgId === null ? {} : { orgId }) })

/** Makes an event about an invitation. `userId` is the user who accepted it. */
export const invitationEvent = (
  what: "created" | "invited" | "expired" | "accepted",
  invitation: Invitation,
  userId?: UserId
): NewEvent => ({
  eventType: `invitation.${invitation.invitationType}.${what}`,
  ...relatedTo(invitation),
  ...(userId === undefined ? {} : { userId })
})

const invitationUpdate = (before: Invitation, after: Invitation): NewEvent => ({
  eventType: `invitation.${after.invitationType}.updated`,
  ...relatedTo(after),
  changed: changedMembers(before, after)
})

const changeProblems = ({ permissions, expiresAt }: InvitationChanges, now: DateTime.Utc): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  problems.push(...permissionProblems(permissions ?? []))
  if (expiresAt !== undefined && DateTime.isLessThanOrEqualTo(expiresAt, now)) {
    problems.push(problem("expires_at", "in_past"))
  }
  return problems
}

const daysAfter = (at: DateTime.Utc) => DateTime.add(at, { days: INVITATION_DAYS })

/** Manages invitations to a realm or an org (`v2.invitations`). Expired invitations are not found. */
export class Invitations extends Context.Service<
  Invitations,
  {
    get(id: string): Effect.Effect<InvitationWithToken, InvitationNotFound, CurrentRealm>
    list(
      filter: InvitationFilter,
      page: InvitationPage
    ): Effect.Effect<Page<InvitationWithToken>, InvitationNotFound, CurrentRealm>
    /** Creates an invitation without sending it. Records `invitation.<type>.created`. */
    create(
      request: InvitationCreation
    ): Effect.Effect<InvitationWithToken, RealmNotFound | Rejected | RateLimited, CurrentRealm>
    /** Changes an invitation. Records `invitation.<type>.updated` if anything changed. */
    update(
      id: string,
      changes: InvitationChanges
    ): Effect.Effect<InvitationWithToken, InvitationNotFound | RealmNotFound | Rejected, CurrentRealm>
    /** Sends an invitation for the first time or again. Records `invitation.<type>.invited`, which carries the token. */
    invite(
      id: string,
      expiresAt: DateTime.Utc | undefined
    ): Effect.Effect<InvitationWithToken, InvitationNotFound | RealmNotFound | Rejected | RateLimited, CurrentRealm>
    /** Deletes an invitation. Records `invitation.<type>.expired`. */
    delete(id: string): Effect.Effect<void, InvitationNotFound | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/Invitations") {
  static readonly layer = Layer.effect(
    Invitations,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const ids = yield* IdGenerator
      const repo = yield* InvitationsRepo
      const users = yield* UsersRepo
      const providers = yield* AuthProvidersRepo
      const apps = yield* ConnectedAppsRepo
      const newMemberships = yield* NewMemberships
      const rateLimits = yield* RateLimits
      const journal = yield* Journal
      const transaction = yield* Transaction

      const get = Effect.fn("Invitations.get")(function* (id: string) {
        const realm = yield* CurrentRealm
        const found = isId("invitation", id) ? yield* repo.find(realm.id, id, yield* DateTime.now) : undefined
        return found ?? (yield* new InvitationNotFound({ id }))
      })

      const list = Effect.fn("Invitations.list")(function* (filter: InvitationFilter, page: InvitationPage) {
        const realm = yield* CurrentRealm
        yield* checkAfter(page, "invitation", get)
        const query = { ...filter, from: firstRetainedId(realm.pendingReset, "invitation") }
        return sortedPageOf(yield* repo.list(realm.id, query, yield* DateTime.now, page), page, {
          email: ({ email }) => foldedEmail(email)
        })
      })

      /** Finds the inviting user, who must belong to the realm. Returns null if there is none. */
      const inviterOf = Effect.fnUntraced(function* (request: InvitationCreation) {
        const realm = yield* CurrentRealm
        const id = nonBlank(request.invitingUserId)
        // An invitation that a visitor requests for themselves has no inviter.
        if (id === null || request.invitationType === "request") return null
        const user = isId("user", id) ? yield* users.find(realm.id, id) : undefined
        return user?.id ?? (yield* rejection("inviting_user_id", "unknown"))
      })

      /** Finds the external provider to whose login the email links. Returns null if there is none. */
      const providerOf = Effect.fnUntraced(function* (request: InvitationCreation) {
        const realm = yield* CurrentRealm
        const id = nonBlank(request.authProviderId)
        if (id === null) return null
        const provider = isId("authProvider", id) ? yield* providers.find(realm.id, id) : undefined
        if (provider === undefined) return yield* rejection("auth_provider_id", "unknown")
        return isBuiltInType(provider.providerType)
          ? yield* rejection("auth_provider_id", "not_elsewhere")
          : provider.id
      })

      /**
       * Finds the active app on whose host the email's link is. Returns null if no app is specified. The link is then on the
       * host of the realm's oldest active app.
       */
      const appOf = Effect.fnUntraced(function* (request: InvitationCreation) {
        const realm = yield* CurrentRealm
        const id = nonBlank(request.appId)
        if (id === null) return null
        const app = isId("app", id) ? yield* apps.find(realm.id, id) : undefined
        if (app === undefined) return yield* rejection("client_app_id", "unknown")
        return app.state === "active" ? app.id : yield* rejection("client_app_id", "not_active")
      })

      const create = Effect.fn("Invitations.create")(function* (request: InvitationCreation) {
        const realm = yield* CurrentRealm
        const createdAt = yield* DateTime.now
        const email = canonicalEmail(request.email ?? "")
        const orgId = nonBlank(request.orgId)
        const problems = [...changeProblems(request, createdAt)]
        if (email === undefined) problems.unshift(problem("email", nonBlank(request.email) ? "email_form" : "blank"))
        if (orgId === null && request.invitationType === "org") problems.push(problem("org_id", "blank"))
        yield* rejectIfAny(problems)
        if (email === undefined) return yield* new Rejected({ problems })

        return yield* transaction.run(
          Effect.gen(function* () {
            const invitingUserId = yield* inviterOf(request)
            const authProviderId = yield* providerOf(request)
            const appId = yield* appOf(request)
            const [org = null] = orgId === null ? [] : yield* newMemberships.findJoinable("org_id", [orgId])
            // Invitations requested by visitors have no subject. They are limited by IP address and email instead.
            const subject = org?.id ?? invitingUserId
            if (subject !== null) yield* rateLimits.take("invitations", subject, realm.limits)
            const invitation: NewInvitation = {
              id: yield* ids.make("invitation"),
              realmId: realm.id,
              invitationType: request.invitationType,
              email,
              orgId: org?.id ?? null,
              invitingUserId,
              isSentByMember: request.isSentByMember === true,
              authProviderId,
              appId: appId,
              permissions: request.permissions ?? [],
              locale: nonBlank(request.locale)?.trim() ?? realm.defaultLocale,
              createdAt,
              invitedAt: null,
              expiresAt: request.expiresAt ?? daysAfter(createdAt),
              org,
              token: `nvt_${randomSecret(entropy)}`
            }
            yield* repo.insert(invitation)
            yield* journal.record([invitationEvent("created", invitation)])
            return invitation
          })
        )
      })

      const findLocked = Effect.fnUntraced(function* (id: string, now: DateTime.Utc) {
        const realm = yield* CurrentRealm
        const found = isId("invitation", id) ? yield* repo.findForUpdate(realm.id, id, now) : undefined
        return found ?? (yield* new InvitationNotFound({ id }))
      })

      const update = Effect.fn("Invitations.update")(function* (id: string, changes: InvitationChanges) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const now = yield* DateTime.now
            const before = yield* findLocked(id, now)
            const problems = changeProblems(changes, now)
            yield* rejectIfAny(problems)
            const after = { ...before, ...changes }
            if (Equal.equals(before, after)) return before
            yield* repo.update(after)
            yield* journal.record([invitationUpdate(before, after)])
            return after
          })
        )
      })

      const invite = Effect.fn("Invitations.invite")(function* (id: string, expiresAt: DateTime.Utc | undefined) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const invitedAt = yield* DateTime.now
            const before = yield* findLocked(id, invitedAt)
            const problems = expiresAt === undefined ? [] : changeProblems({ expiresAt }, invitedAt)
            yield* rejectIfAny(problems)
            // No one can join a closed org.
            if (before.org?.state === "closed") return yield* rejection("org_id", "closed")
            yield* rateLimits.takeMail(before.email)
            const defaultExpiry = before.invitedAt === null ? daysAfter(invitedAt) : before.expiresAt
            const after = { ...before, invitedAt, expiresAt: expiresAt ?? defaultExpiry }
            yield* repo.update(after)
            yield* journal.record([invitationEvent("invited", after)])
            return after
          })
        )
      })

      const remove = Effect.fn("Invitations.delete")(function* (id: string) {
        yield* transaction.run(
          Effect.gen(function* () {
            const found = yield* findLocked(id, yield* DateTime.now)
            yield* repo.delete(found.realmId, [found.id])
            yield* journal.record([invitationEvent("expired", found)])
          })
        )
      })

      return Invitations.of({ get, list, create, update, invite, delete: remove })
    })
  )
}
