import { Context, Effect, Layer } from "effect"
import type { ApiKey, ApiKeyNotFound } from "#domain/ApiKey"
import type { Caller } from "#domain/Caller"
import type { OperatorDetails } from "#domain/EventDetails"
import { appPagePath } from "#domain/HostedPaths"
import { ACCOUNT, isId, type RealmId, SYSTEM } from "#domain/Ids"
import { rejectIfAny } from "#domain/KnownProblems"
import type { Locale } from "#domain/Locale"
import { MAX_OPERATORS, type Operator, OperatorNotFound } from "#domain/Operator"
import type { OperatorRole } from "#domain/OperatorRole"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import { CurrentRealm, systemRealm } from "#domain/Realm"
import { problem, type Rejected, rejection } from "#domain/Rejected"
import type { User } from "#domain/User"
import { CONSOLE_SUBDOMAIN, LoginDomains } from "#platform/LoginDomains"
import { Transaction } from "#platform/Transaction"
import { OperatorsRepo } from "#store/access/OperatorsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { ApiKeys } from "../access/ApiKeys.ts"
import { Journal } from "../events/Journal.ts"
import { SystemRealm } from "../realms/SystemRealm.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { Users } from "../users/Users.ts"

/** A request to invite an operator. `realmId` locks the operator to one realm. */
export interface OperatorInvitation {
  readonly email: string
  readonly role: OperatorRole
  readonly realmId: RealmId | null
  /** The language of the email. */
  readonly locale: Locale | null
  readonly sendsEmail: boolean
}

/** An operator, and the link to accept the invitation. Anyone with the link can set the operator's password. */
export interface InvitedOperator {
  readonly operator: Operator
  readonly url: string
}

const detailsOf = ({ email, role, lockedTo }: Operator): { readonly operator: OperatorDetails } => ({
  operator: { email, role, realm_id: lockedTo }
})

/** Records events as the caller, in the system realm. */
const inSystem = Effect.provideService(CurrentRealm, systemRealm)

/**
 * Manages the operators of the service (C302). Operators are users of the system realm, where their logins are recorded. Changes
 * to the team are recorded in the account, because they concern all realms.
 */
export class Operators extends Context.Service<
  Operators,
  {
    list(page: PageOf<"id">): Effect.Effect<Page<Operator>, OperatorNotFound>
    get(id: string): Effect.Effect<Operator, OperatorNotFound>
    /** Creates an operator who can't log in until they set a password with the link. Records `operator.created`. */
    invite(invitation: OperatorInvitation): Effect.Effect<InvitedOperator, Rejected, Caller>
    /** Makes a new link for an operator who has not logged in yet, and revokes the previous link. */
    inviteAgain(id: string, sendsEmail: boolean): Effect.Effect<InvitedOperator, OperatorNotFound | Rejected, Caller>
    /** Changes the role, from the operator's next request on. Records `operator.updated` if it differs. */
    setRole(id: string, role: OperatorRole): Effect.Effect<Operator, OperatorNotFound | Rejected, Caller>
    /** Lists the API keys that an operator created in the console and that still work. */
    listApiKeys(id: string, page: PageOf<"id">): Effect.Effect<Page<ApiKey>, OperatorNotFound | ApiKeyNotFound, Caller>
    /**
     * Deletes an operator and ends their sessions. Records `operator.deleted`. `deletesKeys`: whether to delete the API keys that
     * the operator created, which otherwise continue to work.
     */
    remove(id: string, deletesKeys: boolean): Effect.Effect<void, OperatorNotFound | Rejected, Caller>
  }
>()("sallyport/core/Operators") {
  static readonly layer = Layer.effect(
    Operators,
    Effect.gen(function* () {
      const repo = yield* OperatorsRepo
      const usersRepo = yield* UsersRepo
      const users = yield* Users
      const system = yield* SystemRealm
      const tokens = yield* OneTimeTokens
      const apiKeys = yield* ApiKeys
      const journal = yield* Journal
      const transaction = yield* Transaction
      const domains = yield* LoginDomains

      const get = Effect.fnUntraced(function* (id: string) {
        const operator = isId("user", id) ? yield* repo.find(id) : undefined
        return operator ?? (yield* new OperatorNotFound({ id }))
      })

      const list = Effect.fn("Operators.list")(function* (page: PageOf<"id">) {
        yield* checkAfter(page, "user", get)
        return pageOf(yield* repo.list(page), page.maxResults)
      })

      /** Runs a change of the team. Such changes wait for each other, so that an owner always remains. */
      const changeTeam = <A, E, R>(change: Effect.Effect<A, E, R>) =>
        transaction.run(Effect.andThen(repo.lockTeam, change))

      /** Issues the link that sets the first password, and emails it if wanted. */
      const issueLink = Effect.fnUntraced(function* (user: User, sendsEmail: boolean) {
        yield* tokens.revoke(user, ["password_reset"])
        const { token, id } = yield* tokens.issue("top:", user, "caller")
        if (sendsEmail)
          yield* journal.record([{ eventType: "operator.invited", userId: user.id, tokenId: id }]).pipe(Effect.orDie)
        return `${domains.pages(CONSOLE_SUBDOMAIN)}${appPagePath("invitation")}?token=${encodeURIComponent(token)}`
      }, inSystem)

      const invite = Effect.fn("Operators.invite")(function* (invitation: OperatorInvitation) {
        const { email, role, realmId, locale, sendsEmail } = invitation
        yield* rejectIfAny(role === "owner" && realmId !== null ? [problem("role", "owner_of_all_realms")] : [])
        yield* system.ensure
        return yield* changeTeam(
          Effect.gen(function* () {
            if ((yield* repo.count) >= MAX_OPERATORS)
              return yield* rejection(null, "too_many_operators", { most: MAX_OPERATORS })
            const { user } = yield* users
              .create({
                userType: "human",
                usernameRequired: false,
                attributes: { email, locale },
                password: undefined,
                apiKey: undefined,
                credentials: [],
                orgIds: [],
                org: undefined,
                permissions: [],
                ownMembership: false,
                signupToken: undefined
              })
              .pipe(inSystem, Effect.catchTags({ RealmNotFound: Effect.die, HashingBusy: Effect.die }))
            yield* repo.insert({ id: user.id, role, lockedTo: realmId, createdAt: user.createdAt })
            const url = yield* issueLink(user, sendsEmail)
            const operator = yield* Effect.orDie(get(user.id))
            yield* record("operator.created", operator)
            return { operator, url }
          })
        )
      })

      const record = (eventType: "operator.created" | "operator.deleted", operator: Operator) =>
        Effect.orDie(journal.recordIn(ACCOUNT, [{ eventType, userId: operator.id, details: detailsOf(operator) }]))

      const inviteAgain = Effect.fn("Operators.inviteAgain")(function* (id: string, sendsEmail: boolean) {
        return yield* changeTeam(
          Effect.gen(function* () {
            const operator = yield* get(id)
            if (operator.acceptedAt !== null) return yield* rejection(null, "operator_active")
            const user = yield* usersRepo.findForUpdate(SYSTEM, operator.id)
            if (user === undefined) return yield* new OperatorNotFound({ id })
            return { operator, url: yield* issueLink(user, sendsEmail) }
          })
        )
      })

      /** Rejects a change after which no owner could log in. Invited owners don't count. */
      const requireOtherOwner = Effect.fnUntraced(function* (operator: Operator, field: "role" | null) {
        const isOwner = operator.role === "owner" && operator.acceptedAt !== null
        if (isOwner && (yield* repo.countOtherOwners(operator.id)) === 0) return yield* rejection(field, "last_owner")
      })

      const setRole = Effect.fn("Operators.setRole")(function* (id: string, role: OperatorRole) {
        return yield* changeTeam(
          Effect.gen(function* () {
            const before = yield* get(id)
            if (before.role === role) return before
            if (role === "owner" && before.lockedTo !== null) return yield* rejection("role", "owner_of_all_realms")
            yield* requireOtherOwner(before, "role")
            yield* repo.setRole(before.id, role)
            const after = { ...before, role }
            const details = detailsOf(after)
            yield* Effect.orDie(
              journal.recordIn(ACCOUNT, [
                { eventType: "operator.updated", userId: after.id, changed: ["role"], details }
              ])
            )
            return after
          })
        )
      })

      const listApiKeys = Effect.fn("Operators.listApiKeys")(function* (id: string, page: PageOf<"id">) {
        const operator = yield* get(id)
        return yield* apiKeys.listCreatedBy(operator.id, page)
      })

      const remove = Effect.fn("Operators.remove")(function* (id: string, deletesKeys: boolean) {
        yield* changeTeam(
          Effect.gen(function* () {
            const operator = yield* get(id)
            yield* requireOtherOwner(operator, null)
            if (deletesKeys) yield* apiKeys.deleteCreatedBy(operator.id)
            yield* users.delete(operator.id).pipe(inSystem, Effect.orDie)
            yield* record("operator.deleted", operator)
          })
        )
      })

      return Operators.of({ list, get, invite, inviteAgain, setRole, listApiKeys, remove })
    })
  )
}
