import { Context, Effect, Equal, Layer } from "effect"
import { noticeOf } from "#domain/AccountNotice"
import type { ExternalProvider } from "#domain/AuthProvider"
import { identifyUser } from "#domain/EventActor"
import {
  decideExternalLogin,
  type ExternalProfile,
  type ExternalRefusal,
  LinkRefused,
  type ProviderToken
} from "#domain/ExternalLogin"
import type { UserId } from "#domain/Ids"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { isBeingReset } from "#domain/RealmReset"
import type { Rejected } from "#domain/Rejected"
import type { User } from "#domain/User"
import { CredentialsRepo } from "#store/users/CredentialsRepo"
import { IdentitiesRepo, type ProfileLink } from "#store/users/IdentitiesRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import type { NewEvent } from "../events/NewEvent.ts"
import { MailboxProofs } from "../login/MailboxProofs.ts"
import { NewCredentials } from "../provisioning/NewCredentials.ts"
import { NewUsers } from "../provisioning/NewUsers.ts"
import { MAX_TOKEN_LENGTH } from "./AuthorizationCodeExchange.ts"

/** A person's profile at an external provider, with an access token for it. */
export interface ExternalIdentity {
  readonly provider: ExternalProvider
  readonly profile: ExternalProfile
  readonly token: ProviderToken
}

/** The user who may log in with a profile and the events to record, or the reason why no user may log in with it. */
export type LinkingResult =
  | { readonly user: User; readonly events: ReadonlyArray<NewEvent> }
  | { readonly why: ExternalRefusal; readonly refused: User | undefined }

/** Finds the user of an external profile, links the profile to an existing user, or creates a new user (C43). */
export class AccountLinking extends Context.Service<
  AccountLinking,
  {
    /**
     * Finds or creates the user. Must run inside the transaction of the login. The events are `user.created` for a new user,
     * `user.updated` for a newly linked profile, and `session.deleted` for each session that ends because the profile takes
     * over an account. Fails with `Rejected` if a concurrent login created or linked the same profile.
     */
    resolve(
      identity: ExternalIdentity
    ): Effect.Effect<LinkingResult, Rejected | HashingBusy | RealmNotFound, CurrentRealm>
    /**
     * Links a profile to a user who has requested it, even if the emails differ. Must run inside the transaction that locks
     * the user. The event is `user.updated`, or none if the user already has this profile. Rejects a profile that belongs to
     * another user (SEC-136).
     */
    link(
      user: User,
      identity: ExternalIdentity
    ): Effect.Effect<ReadonlyArray<NewEvent>, LinkRefused | Rejected | HashingBusy, CurrentRealm>
  }
>()("sallyport/core/AccountLinking") {
  static readonly layer = Layer.effect(
    AccountLinking,
    Effect.gen(function* () {
      const users = yield* UsersRepo
      const profiles = yield* IdentitiesRepo
      const credentials = yield* CredentialsRepo
      const newCredentials = yield* NewCredentials
      const newUsers = yield* NewUsers
      const mailboxes = yield* MailboxProofs

      const findLocked = Effect.fnUntraced(function* (userId: UserId | undefined) {
        const realm = yield* CurrentRealm
        const isAbsent = userId === undefined || isBeingReset(realm.pendingReset, "user", userId)
        return isAbsent ? undefined : yield* users.findForUpdate(realm.id, userId)
      })

      const storedToken = ({ accessToken, expiresAt }: ProviderToken) => ({
        accessToken: accessToken.length > MAX_TOKEN_LENGTH ? null : accessToken,
        tokenExpiresAt: expiresAt
      })

      const credentialOf = ({ provider, profile, token }: ExternalIdentity) => ({
        credentialType: provider.providerType,
        authProviderId: provider.id,
        providerUserId: profile.providerUserId,
        ...storedToken(token)
      })

      /** Stores the provider's new token. Records no event. */
      const refresh = Effect.fnUntraced(function* ({ id }: ProfileLink, token: ProviderToken) {
        const before = yield* credentials.find((yield* CurrentRealm).id, id)
        if (before === undefined) return
        const { accessToken: secret, tokenExpiresAt } = storedToken(token)
        const after = { ...before, secret, tokenExpiresAt }
        if (!Equal.equals(before, after)) yield* credentials.update(after)
      })

      const linkToEmailOwner = Effect.fnUntraced(function* (before: User, identity: ExternalIdentity) {
        const { user, changed, endEvents: sessionEvents } = yield* mailboxes.apply("verified_provider", before)
        yield* identifyUser(user.id)
        yield* newCredentials.add(user, yield* newCredentials.draft(credentialOf(identity), user))
        const members = [...new Set(["credentials", ...changed])].toSorted()
        const notice = noticeOf(identity.provider.providerType, "added")
        const updated = { eventType: "user.updated" as const, userId: user.id, changed: members, notice }
        return { user, events: [updated, ...sessionEvents] }
      })

      const create = Effect.fnUntraced(function* (email: string, identity: ExternalIdentity) {
        const { emailVerified, firstName, lastName } = identity.profile
        const draft = yield* newUsers.draft({
          userType: "human",
          usernameRequired: false,
          attributes: { email, emailVerification: emailVerified ? "verified" : "none", firstName, lastName },
          password: undefined,
          apiKey: undefined,
          credentials: [credentialOf(identity)]
        })
        yield* newUsers.insert(draft)
        return { user: draft.user, events: [{ eventType: "user.created" as const, userId: draft.user.id }] }
      })

      const resolveOnce = Effect.fnUntraced(function* (
        identity: ExternalIdentity
      ): Effect.fn.Return<LinkingResult, Rejected | HashingBusy | RealmNotFound, CurrentRealm> {
        const realm = yield* CurrentRealm
        const { provider, profile, token } = identity
        const find = profiles.find(realm.id, provider.id, profile.providerUserId)
        const holder = yield* findLocked((yield* find)?.userId)
        // Read the link again under the lock, because a concurrent takeover may have removed it.
        const currentLink = holder === undefined ? undefined : yield* find
        const linked = currentLink?.userId === holder?.id ? holder : undefined
        const usesEmail = linked === undefined && profile.email !== null
        const byEmail = usesEmail ? yield* findLocked(yield* profiles.userByEmail(realm.id, profile.email)) : undefined
        const hasOtherProfile =
          byEmail !== undefined && (yield* profiles.hasProfileOf(realm.id, byEmail.id, provider.id))
        const proof = byEmail && (yield* mailboxes.decide("verified_provider", byEmail, "none"))
        const matches = { linked, byEmail, hasOtherProfile, takesOver: proof?._tag === "TakesOver" }
        const decision = decideExternalLogin(profile, matches)
        switch (decision._tag) {
          case "Refuses":
            return { why: decision.why, refused: linked ?? byEmail }
          case "LogsIn":
            if (currentLink !== undefined) yield* refresh(currentLink, token)
            return { user: decision.user, events: [] }
          case "Links":
            return yield* linkToEmailOwner(decision.user, identity)
          case "Creates":
            return yield* create(decision.email, identity)
        }
      })

      // If another login commits between two reads, the reads may contradict each other. So decide a second time before
      // rejecting.
      const resolve = Effect.fn("AccountLinking.resolve")(function* (identity: ExternalIdentity) {
        const result = yield* resolveOnce(identity)
        return "why" in result ? yield* resolveOnce(identity) : result
      })

      const link = Effect.fn("AccountLinking.link")(function* (user: User, identity: ExternalIdentity) {
        const { provider, profile } = identity
        const holder = yield* profiles.find(user.realmId, provider.id, profile.providerUserId)
        if (holder?.userId === user.id) return []
        if (holder !== undefined) return yield* new LinkRefused({ why: "linked_elsewhere" })
        if (yield* profiles.hasProfileOf(user.realmId, user.id, provider.id))
          return yield* new LinkRefused({ why: "another_profile" })
        yield* newCredentials.add(user, yield* newCredentials.draft(credentialOf(identity), user))
        const notice = noticeOf(provider.providerType, "added")
        return [{ eventType: "user.updated" as const, userId: user.id, changed: ["credentials"], notice }]
      })

      return AccountLinking.of({ resolve, link })
    })
  )
}
