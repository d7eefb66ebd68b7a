import { Context, DateTime, Effect, Layer } from "effect"
import { isSameEmail } from "#domain/Email"
import { canStillSend, decideAcceptance, type Invitation } from "#domain/Invitation"
import { TokenNotFound } from "#domain/Login"
import { isToken } from "#domain/OneTimeToken"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { isBeingReset } from "#domain/RealmReset"
import { type Rejected, rejection } from "#domain/Rejected"
import { type User, UserNotFound } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { ConnectedAppsRepo } from "#store/apps/ConnectedAppsRepo"
import { InvitationsRepo } from "#store/orgs/InvitationsRepo"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { Journal } from "../events/Journal.ts"
import { membershipUpdate, NewMemberships } from "../provisioning/NewMemberships.ts"
import { Users, type UserWithMemberships } from "../users/Users.ts"
import { invitationEvent } from "./Invitations.ts"

/** Accepts invitations. The token is enough to identify the invitation (C34, SEC-25). */
export class Acceptance extends Context.Service<
  Acceptance,
  {
    /**
     * Finds the unexpired invitation with this token, if its sender would still be allowed to send it (SEC-245). Doesn't check
     * the state of its org. Changes nothing.
     */
    find(token: string): Effect.Effect<Invitation, TokenNotFound, CurrentRealm>
    /**
     * Returns whether the invitation is left to its invitee. This is the case if the user has another email and is already a
     * member of the org (C104).
     */
    isLeftToInvitee(user: User, invitation: Invitation): Effect.Effect<boolean, never, CurrentRealm>
    /**
     * Accepts and uses up the invitation for an active human. Records `invitation.<type>.accepted`, then `membership.created`,
     * or `membership.updated` if an existing membership gains permissions.
     */
    accept(
      idOrEmail: string,
      token: string
    ): Effect.Effect<UserWithMemberships, UserNotFound | TokenNotFound | RealmNotFound | Rejected, CurrentRealm>
  }
>()("sallyport/core/Acceptance") {
  static readonly layer = Layer.effect(
    Acceptance,
    Effect.gen(function* () {
      const repo = yield* InvitationsRepo
      const users = yield* Users
      const usersRepo = yield* UsersRepo
      const newMemberships = yield* NewMemberships
      const memberships = yield* MembershipsRepo
      const apps = yield* ConnectedAppsRepo
      const journal = yield* Journal
      const transaction = yield* Transaction

      /**
       * Returns whether the sender of an invitation would still be allowed to send it. Always true for invitations that were
       * not sent on the hosted pages.
       */
      const mayStillBeSent = Effect.fnUntraced(function* (invitation: Invitation, now: DateTime.Utc) {
        const { realmId, invitingUserId, appId, orgId, isSentByMember } = invitation
        if (!isSentByMember) return true
        if (invitingUserId === null) return false
        const inviter = yield* usersRepo.find(realmId, invitingUserId)
        const [membership] = orgId === null ? [] : yield* memberships.ofUser(realmId, invitingUserId, now, { orgId })
        const app = appId === null ? undefined : yield* apps.find(realmId, appId)
        return canStillSend(invitation, {
          isActive: inviter?.state === "active",
          membership,
          appPermissions: app?.invitationPermissions ?? []
        })
      })

      const find = Effect.fnUntraced(function* (token: string) {
        const realm = yield* CurrentRealm
        const now = yield* DateTime.now
        const found = isToken("nvt_", token) ? yield* repo.findByToken(realm.id, token, now) : undefined
        const isGone = found === undefined || isBeingReset(realm.pendingReset, "invitation", found.id)
        return isGone || !(yield* mayStillBeSent(found, now)) ? yield* new TokenNotFound() : found
      })

      const isLeftToInvitee = Effect.fnUntraced(function* (user: User, { email, orgId }: Invitation) {
        if (isSameEmail(user.email, email) || orgId === null) return false
        const { id } = yield* CurrentRealm
        return (yield* memberships.ofUser(id, user.id, yield* DateTime.now, { orgId })).length > 0
      })

      /** Locks the org, uses up the invitation with this token, and deletes equivalent invitations. */
      const consume = Effect.fnUntraced(function* (user: User, token: string, now: DateTime.Utc) {
        const realm = yield* CurrentRealm
        const found = yield* find(token)
        // To avoid deadlocks, lock the org first, then its invitations in the order of their IDs.
        const [org] = found.orgId === null ? [] : yield* newMemberships.findJoinable("org_id", [found.orgId])
        const equivalent = yield* repo.lockEquivalent(
          found,
          user.email === null ? [found.email] : [found.email, user.email],
          now
        )
        const invitation = yield* repo.consume(realm.id, found.id, token, now)
        if (invitation === undefined) return yield* new TokenNotFound()
        yield* repo.delete(
          realm.id,
          equivalent.filter((id) => id !== invitation.id)
        )
        return { invitation, org }
      })

      const accept = Effect.fn("Acceptance.accept")(function* (idOrEmail: string, token: string) {
        const realm = yield* CurrentRealm
        const id = yield* users.resolve(idOrEmail)
        return yield* transaction.run(
          Effect.gen(function* () {
            const now = yield* DateTime.now
            const user = yield* usersRepo.findForUpdate(realm.id, id)
            if (user?.state !== "active" || user.userType === "api") return yield* new UserNotFound({ id: idOrEmail })
            const { invitation, org } = yield* consume(user, token, now)
            const { permissions } = invitation
            const membership = org && (yield* memberships.findPairForUpdate(realm.id, id, org.id, now))
            const outcome = decideAcceptance(permissions, org, membership)
            if (outcome._tag === "Refused") return yield* rejection("permissions", outcome.problem)

            const events = [invitationEvent("accepted", invitation, id)]
            if (outcome._tag === "Joins") {
              const joined = yield* newMemberships.join({ userIds: [id], orgs: [outcome.org], permissions })
              events.push(...joined.events)
            }
            if (outcome._tag === "Gains") {
              yield* memberships.update(outcome.membership)
              events.push(membershipUpdate(outcome.membership, ["permissions"]))
            }
            yield* journal.record(events)
            return yield* Effect.orDie(users.getWithMemberships(id))
          })
        )
      })

      return Acceptance.of({ find, isLeftToInvitee, accept })
    })
  )
}
