import { Context, DateTime, Effect, Layer } from "effect"
import { decideAcceptance, type Invitation } from "#domain/Invitation"
import { TokenNotFound } from "#domain/Login"
import { isToken } from "#domain/OneTimeToken"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { isBeingReset } from "#domain/RealmReset"
import { type Rejected, rejected } from "#domain/Rejected"
import { type User, UserNotFound } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { InvitationsRepo } from "#store/InvitationsRepo"
import { MembershipsRepo } from "#store/MembershipsRepo"
import { UsersRepo } from "#store/UsersRepo"
import { Journal } from "../events/Journal.ts"
import { membershipEvent, NewMemberships } from "../provisioning/NewMemberships.ts"
import { Users, type UserWithMemberships } from "../users/Users.ts"
import { invitationHappening } from "./Invitations.ts"

/** How an invitation is used: by its token alone, which says all the rest (C34, SEC-25). */
export class Acceptance extends Context.Service<
  Acceptance,
  {
    /** The unexpired invitation of a token, whatever has become of its org. Changes nothing. */
    look(token: string): Effect.Effect<Invitation, TokenNotFound, CurrentRealm>
    /**
     * Uses the invitation up for an active human: `invitation.<type>.accepted`; `membership.created`, or
     * `membership.updated` when the membership that is there gains permissions.
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
      const joining = yield* NewMemberships
      const memberships = yield* MembershipsRepo
      const journal = yield* Journal
      const transaction = yield* Transaction

      const look = Effect.fnUntraced(function* (token: string) {
        const realm = yield* CurrentRealm
        const now = yield* DateTime.now
        const found = isToken("nvt_", token) ? yield* repo.findByToken(realm.id, token, now) : undefined
        const isGone = found === undefined || isBeingReset(realm.pendingReset, "invitation", found.id)
        return isGone ? yield* new TokenNotFound() : found
      })

      /** Uses the invitation of a token up, and with it those that are alike; the org is held. */
      const consume = Effect.fnUntraced(function* (user: User, token: string, now: DateTime.Utc) {
        const realm = yield* CurrentRealm
        const found = yield* look(token)
        // The org before its invitations, and those in the order of their ids: nobody waits in a ring.
        const [org] = found.orgId === null ? [] : yield* joining.findJoinable("org_id", [found.orgId])
        const alike = yield* repo.lockEquivalent(
          found,
          user.email === null ? [found.email] : [found.email, user.email],
          now
        )
        const invitation = yield* repo.consume(realm.id, found.id, token, now)
        if (invitation === undefined) return yield* new TokenNotFound()
        yield* repo.delete(
          realm.id,
          alike.filter((id) => id !== invitation.id)
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
            const held = org && (yield* memberships.findPairForUpdate(realm.id, id, org.id, now))
            const outcome = decideAcceptance(permissions, org, held)
            if (outcome._tag === "Refused") return yield* rejected("permissions", outcome.problem)

            const happenings = [invitationHappening("accepted", invitation, id)]
            if (outcome._tag === "Joins") {
              const joined = yield* joining.join({ userIds: [id], orgs: [outcome.org], permissions })
              happenings.push(...joined.events)
            }
            if (outcome._tag === "Gains") {
              yield* memberships.update(outcome.membership)
              happenings.push(membershipEvent("membership.updated", outcome.membership))
            }
            yield* journal.record(happenings)
            return yield* Effect.orDie(users.getWithMemberships(id))
          })
        )
      })

      return Acceptance.of({ look, accept })
    })
  )
}
