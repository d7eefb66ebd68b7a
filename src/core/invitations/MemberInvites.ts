import { Context, Data, DateTime, Effect, Layer } from "effect"
import type { ConnectedApp } from "#domain/ConnectedApp"
import type { RateLimited } from "#domain/Limit"
import type { Org } from "#domain/Org"
import { CurrentRealm, type Realm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejection } from "#domain/Rejected"
import { managesTeam } from "#domain/Role"
import type { User } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { RateLimits } from "../limits/RateLimits.ts"
import { Invitations } from "./Invitations.ts"

/** The targets to which a user may invite others: orgs, or the realm (a referral). */
export type InvitingOffer = { readonly _tag: "Orgs"; readonly orgs: ReadonlyArray<Org> } | { readonly _tag: "Referral" }

/** An invitation sent by a user. `orgId` is blank for a referral. */
export interface MemberInvite {
  readonly email: string
  readonly orgId: string
  readonly permissions?: ReadonlyArray<string>
}

/** The user may not invite anyone. */
export class InvitingNotAllowed extends Data.TaggedError("InvitingNotAllowed") {}

/**
 * Lets users invite others on the hosted pages (C40a). In realms with orgs, the admins of an org can invite users to the org.
 * In realms without orgs, every user can refer others, unless the realm is closed to signups. An app can disable invitations,
 * and sets the permissions of invited org members (C125).
 */
export class MemberInvites extends Context.Service<
  MemberInvites,
  {
    /** Returns the targets to which a user may invite others, or undefined if there are none. */
    offer(app: ConnectedApp, user: User): Effect.Effect<InvitingOffer | undefined, never, CurrentRealm>
    /**
     * Creates and sends an invitation. Records `invitation.<type>.created` and `invitation.<type>.invited`. `permissions` are
     * the invitee's permissions in the org. The default is the app's setting.
     */
    invite(
      app: ConnectedApp,
      user: User,
      request: MemberInvite
    ): Effect.Effect<void, InvitingNotAllowed | Rejected | RateLimited | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/MemberInvites") {
  static readonly layer = Layer.effect(
    MemberInvites,
    Effect.gen(function* () {
      const memberships = yield* MembershipsRepo
      const invitations = yield* Invitations
      const transaction = yield* Transaction
      const rateLimits = yield* RateLimits

      const orgsOfAdmin = Effect.fnUntraced(function* ({ id }: Realm, user: User) {
        const found = yield* memberships.ofUser(id, user.id, yield* DateTime.now)
        return found.flatMap(({ org, ...membership }) => (org !== null && managesTeam(membership) ? [org] : []))
      })

      const offer = Effect.fn("MemberInvites.offer")(function* (app: ConnectedApp, user: User) {
        if (!app.allowInvitations) return undefined
        const realm = yield* CurrentRealm
        if (realm.orgMode === "single_user") {
          return realm.signup === "closed" ? undefined : ({ _tag: "Referral" } as const)
        }
        const orgs = yield* orgsOfAdmin(realm, user)
        return orgs.length === 0 ? undefined : ({ _tag: "Orgs", orgs } as const)
      })

      const invite = Effect.fn("MemberInvites.invite")(function* (
        app: ConnectedApp,
        user: User,
        { email, orgId, permissions = app.invitationPermissions }: MemberInvite
      ) {
        const userOffer = yield* offer(app, user)
        if (userOffer === undefined) return yield* new InvitingNotAllowed()
        const isOrg = userOffer._tag === "Orgs"
        const org = isOrg ? userOffer.orgs.find(({ id }) => id === orgId) : undefined
        if (isOrg && org === undefined) return yield* rejection("org_id", "unknown")
        yield* rateLimits.takeVisitorMail
        yield* transaction.run(
          Effect.gen(function* () {
            const created = yield* invitations.create({
              invitationType: isOrg ? "org" : "referral",
              email,
              orgId: org?.id ?? null,
              invitingUserId: user.id,
              isSentByMember: true,
              authProviderId: null,
              appId: app.id,
              permissions: isOrg ? permissions : [],
              locale: user.locale
            })
            yield* Effect.catchTag(invitations.invite(created.id, undefined), "InvitationNotFound", Effect.die)
          })
        )
      })

      return MemberInvites.of({ offer, invite })
    })
  )
}
