import { Context, Data, DateTime, Effect, Layer } from "effect"
import type { RateLimited } from "#domain/Limit"
import type { Org } from "#domain/Org"
import { CurrentRealm, type Realm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejected } from "#domain/Rejected"
import type { User } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { MembershipsRepo } from "#store/MembershipsRepo"
import { RateLimits } from "../limits/RateLimits.ts"
import { Invitations } from "./Invitations.ts"

/** Who may invite to what: to these orgs, or others to the realm. */
export type InvitingOffer = { readonly _tag: "Orgs"; readonly orgs: ReadonlyArray<Org> } | { readonly _tag: "Referral" }

/** Whoever asks may invite nobody, or not to that org. */
export class NotInviting extends Data.TaggedError("NotInviting") {}

/** What makes somebody an admin of an org. */
const admins: ReadonlySet<string> = new Set(["ar:owner", "ar:admin"])

/**
 * Invitations by people themselves, on the hosted pages (C40a): admins of an org invite to it where a realm's
 * users belong to orgs; elsewhere users refer others, unless the realm is closed to new ones.
 */
export class MemberInvites extends Context.Service<
  MemberInvites,
  {
    /** What somebody may invite to; undefined: to nothing. */
    offer(user: User): Effect.Effect<InvitingOffer | undefined, never, CurrentRealm>
    /** Invites and sends: `invitation.<type>.created` and `invitation.<type>.invited`. */
    invite(
      user: User,
      asked: { readonly email: string; readonly orgId: string }
    ): Effect.Effect<void, NotInviting | Rejected | RateLimited | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/MemberInvites") {
  static readonly layer = Layer.effect(
    MemberInvites,
    Effect.gen(function* () {
      const memberships = yield* MembershipsRepo
      const invitations = yield* Invitations
      const transaction = yield* Transaction
      const rateLimits = yield* RateLimits

      const administered = Effect.fnUntraced(function* ({ id }: Realm, user: User) {
        const found = yield* memberships.ofUser(id, user.id, yield* DateTime.now)
        return found.flatMap(({ org, permissions }) =>
          org !== null && permissions.some((tag) => admins.has(tag)) ? [org] : []
        )
      })

      const offer = Effect.fn("MemberInvites.offer")(function* (user: User) {
        const realm = yield* CurrentRealm
        if (realm.orgMode === "single_user") {
          return realm.signup === "closed" ? undefined : ({ _tag: "Referral" } as const)
        }
        const orgs = yield* administered(realm, user)
        return orgs.length === 0 ? undefined : ({ _tag: "Orgs", orgs } as const)
      })

      const invite = Effect.fn("MemberInvites.invite")(function* (
        user: User,
        { email, orgId }: { readonly email: string; readonly orgId: string }
      ) {
        const offered = yield* offer(user)
        if (offered === undefined) return yield* new NotInviting()
        const isOrg = offered._tag === "Orgs"
        const org = isOrg ? offered.orgs.find(({ id }) => id === orgId) : undefined
        if (isOrg && org === undefined) return yield* rejected("org_id", "unknown")
        yield* rateLimits.takeVisitorMail
        yield* transaction.run(
          Effect.gen(function* () {
            const made = yield* invitations.create({
              invitationType: isOrg ? "org" : "referral",
              email,
              orgId: org?.id ?? null,
              invitingUserId: user.id,
              authProviderId: null,
              locale: user.locale
            })
            yield* Effect.catchTag(invitations.invite(made.id, undefined), "InvitationNotFound", Effect.die)
          })
        )
      })

      return MemberInvites.of({ offer, invite })
    })
  )
}
