import { Context, DateTime, Effect, Equal, Layer } from "effect"
import { isBuiltInType } from "#domain/AuthProvider"
import { canonicalEmail } from "#domain/Email"
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
import type { RateLimited } from "#domain/Limit"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import { permissionsProblem } from "#domain/Permission"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { firstRetainedId } from "#domain/RealmReset"
import { type Problem, problem, Rejected, rejected } from "#domain/Rejected"
import { presence } from "#domain/Text"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { randomSecret } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { AuthProvidersRepo } from "#store/AuthProvidersRepo"
import { type InvitationFilter, InvitationsRepo, type NewInvitation } from "#store/InvitationsRepo"
import { UsersRepo } from "#store/UsersRepo"
import { Journal, type NewEvent } from "../events/Journal.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { NewMemberships } from "../provisioning/NewMemberships.ts"

type InvitationPage = PageOf<(typeof invitationSorts)[number]>

/** What a caller asks for in a new invitation. */
export interface InvitationCreation extends InvitationChanges {
  readonly invitationType: InvitationType
  readonly email: string | null
  readonly orgId: string | null
  readonly invitingUserId: string | null
  readonly authProviderId: string | null
  readonly locale: string | null
}

/** An event of an invitation; of its acceptance, with the user who accepted. */
export const invitationHappening = (
  what: "created" | "updated" | "invited" | "expired" | "accepted",
  invitation: Invitation,
  userId?: UserId
): NewEvent => ({
  eventType: `invitation.${invitation.invitationType}.${what}`,
  invitationId: invitation.id,
  ...(invitation.orgId === null ? {} : { orgId: invitation.orgId }),
  ...(userId === undefined ? {} : { userId })
})

const changeProblems = ({ permissions, expiresAt }: InvitationChanges, now: DateTime.Utc): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  const wrong = permissions === undefined ? undefined : permissionsProblem(permissions)
  if (wrong !== undefined) problems.push(problem("permissions", wrong))
  if (expiresAt !== undefined && DateTime.isLessThanOrEqualTo(expiresAt, now)) {
    problems.push(problem("expires_at", "in_past"))
  }
  return problems
}

const daysAfter = (at: DateTime.Utc) => DateTime.add(at, { days: INVITATION_DAYS })

/** Invitations to a realm or an org (`v2.invitations`). One that has expired is treated as missing. */
export class Invitations extends Context.Service<
  Invitations,
  {
    get(id: string): Effect.Effect<InvitationWithToken, InvitationNotFound, CurrentRealm>
    list(
      filter: InvitationFilter,
      page: InvitationPage
    ): Effect.Effect<Page<InvitationWithToken>, InvitationNotFound, CurrentRealm>
    /** `invitation.<type>.created`. Sends nothing yet. */
    create(
      asked: InvitationCreation
    ): Effect.Effect<InvitationWithToken, RealmNotFound | Rejected | RateLimited, CurrentRealm>
    /** `invitation.<type>.updated` when something differs. */
    update(
      id: string,
      changes: InvitationChanges
    ): Effect.Effect<InvitationWithToken, InvitationNotFound | RealmNotFound | Rejected, CurrentRealm>
    /** Sends it, or sends it again: `invitation.<type>.invited`, which carries the token. */
    invite(
      id: string,
      expiresAt: DateTime.Utc | undefined
    ): Effect.Effect<InvitationWithToken, InvitationNotFound | RealmNotFound | Rejected | RateLimited, CurrentRealm>
    /** `invitation.<type>.expired`. */
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
      const joining = yield* NewMemberships
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
        yield* checkAfter(page, get)
        const kept = { ...filter, from: firstRetainedId(realm.pendingReset, "invitation") }
        return pageOf(yield* repo.list(realm.id, kept, yield* DateTime.now, page), page.maxResults)
      })

      /** The user of this realm who invites. */
      const inviterOf = Effect.fnUntraced(function* (asked: InvitationCreation) {
        const realm = yield* CurrentRealm
        const id = presence(asked.invitingUserId)
        // Who asks to be let in was invited by nobody.
        if (id === null || asked.invitationType === "request") return null
        const user = isId("user", id) ? yield* users.find(realm.id, id) : undefined
        return user?.id ?? (yield* rejected("inviting_user_id", "unknown"))
      })

      /** The provider elsewhere whose login the mail leads to. */
      const providerOf = Effect.fnUntraced(function* (asked: InvitationCreation) {
        const realm = yield* CurrentRealm
        const id = presence(asked.authProviderId)
        if (id === null) return null
        const provider = isId("authProvider", id) ? yield* providers.find(realm.id, id) : undefined
        if (provider === undefined) return yield* rejected("auth_provider_id", "unknown")
        return isBuiltInType(provider.providerType) ? yield* rejected("auth_provider_id", "not_elsewhere") : provider.id
      })

      const create = Effect.fn("Invitations.create")(function* (asked: InvitationCreation) {
        const realm = yield* CurrentRealm
        const createdAt = yield* DateTime.now
        const email = canonicalEmail(asked.email ?? "")
        const orgId = presence(asked.orgId)
        const problems = [...changeProblems(asked, createdAt)]
        if (email === undefined) problems.unshift(problem("email", presence(asked.email) ? "email_form" : "blank"))
        if (orgId === null && asked.invitationType === "org") problems.push(problem("org_id", "blank"))
        if (email === undefined || problems.length > 0) return yield* new Rejected({ problems })

        return yield* transaction.run(
          Effect.gen(function* () {
            const invitingUserId = yield* inviterOf(asked)
            const authProviderId = yield* providerOf(asked)
            const [org = null] = orgId === null ? [] : yield* joining.findJoinable("org_id", [orgId])
            // Whoever asks for one of their own is limited by address and by mails.
            const subject = org?.id ?? invitingUserId
            if (subject !== null) yield* rateLimits.take("invitations", subject, realm.limits)
            const invitation: NewInvitation = {
              id: yield* ids.make("invitation"),
              realmId: realm.id,
              invitationType: asked.invitationType,
              email,
              orgId: org?.id ?? null,
              invitingUserId,
              authProviderId,
              permissions: asked.permissions ?? [],
              locale: presence(asked.locale)?.trim() ?? realm.defaultLocale,
              createdAt,
              invitedAt: null,
              expiresAt: asked.expiresAt ?? daysAfter(createdAt),
              org,
              token: `nvt_${randomSecret(entropy)}`
            }
            yield* repo.insert(invitation)
            yield* journal.record([invitationHappening("created", invitation)])
            return invitation
          })
        )
      })

      const held = Effect.fnUntraced(function* (id: string, now: DateTime.Utc) {
        const realm = yield* CurrentRealm
        const found = isId("invitation", id) ? yield* repo.findForUpdate(realm.id, id, now) : undefined
        return found ?? (yield* new InvitationNotFound({ id }))
      })

      const update = Effect.fn("Invitations.update")(function* (id: string, changes: InvitationChanges) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const now = yield* DateTime.now
            const before = yield* held(id, now)
            const problems = changeProblems(changes, now)
            if (problems.length > 0) return yield* new Rejected({ problems })
            const after = { ...before, ...changes }
            if (Equal.equals(before, after)) return before
            yield* repo.update(after)
            yield* journal.record([invitationHappening("updated", after)])
            return after
          })
        )
      })

      const invite = Effect.fn("Invitations.invite")(function* (id: string, asked: DateTime.Utc | undefined) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const invitedAt = yield* DateTime.now
            const before = yield* held(id, invitedAt)
            const problems = asked === undefined ? [] : changeProblems({ expiresAt: asked }, invitedAt)
            if (problems.length > 0) return yield* new Rejected({ problems })
            // Nobody could accept it any more.
            if (before.org?.state === "closed") return yield* rejected("org_id", "closed")
            yield* rateLimits.takeMail(before.email)
            const unasked = before.invitedAt === null ? daysAfter(invitedAt) : before.expiresAt
            const after = { ...before, invitedAt, expiresAt: asked ?? unasked }
            yield* repo.update(after)
            yield* journal.record([invitationHappening("invited", after)])
            return after
          })
        )
      })

      const remove = Effect.fn("Invitations.delete")(function* (id: string) {
        yield* transaction.run(
          Effect.gen(function* () {
            const found = yield* held(id, yield* DateTime.now)
            yield* repo.delete(found.realmId, [found.id])
            yield* journal.record([invitationHappening("expired", found)])
          })
        )
      })

      return Invitations.of({ get, list, create, update, invite, delete: remove })
    })
  )
}
