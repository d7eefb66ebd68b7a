import { Context, Effect, Equal, Layer } from "effect"
import type { ExternalProvider } from "#domain/AuthProvider"
import {
  decideExternalLogin,
  type ExternalProfile,
  type ExternalRefusal,
  type ProviderToken
} from "#domain/ExternalLogin"
import type { UserId } from "#domain/Ids"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm } from "#domain/Realm"
import { isBeingReset } from "#domain/RealmReset"
import type { Rejected } from "#domain/Rejected"
import type { User } from "#domain/User"
import { CredentialsRepo } from "#store/CredentialsRepo"
import { IdentitiesRepo, type ProfileLink } from "#store/IdentitiesRepo"
import { UsersRepo } from "#store/UsersRepo"
import type { NewEvent } from "../events/Journal.ts"
import { MailboxProofs } from "../login/MailboxProofs.ts"
import { NewCredentials } from "../provisioning/NewCredentials.ts"
import { NewUsers } from "../provisioning/NewUsers.ts"
import { TOKEN_LENGTH } from "./AuthorizationCodeExchange.ts"

/** A person at a provider, whose token we hold. */
export interface Presented {
  readonly provider: ExternalProvider
  readonly profile: ExternalProfile
  readonly token: ProviderToken
}

/** Whom a profile lets in, and what is to be recorded of how it came to be theirs; or why nobody. */
export type Admitted =
  | { readonly user: User; readonly happenings: ReadonlyArray<NewEvent> }
  | { readonly why: ExternalRefusal }

/** Whose a profile elsewhere is: the user's who has it, or who is given it, or one who is made for it (C43). */
export class AccountLinking extends Context.Service<
  AccountLinking,
  {
    /**
     * Inside the transaction of the login. `user.created`; or `user.updated` for a profile that is new, and
     * `session.deleted` each where it takes the account over. Rejected: somebody else was faster.
     */
    admit(presented: Presented): Effect.Effect<Admitted, Rejected | HashingBusy, CurrentRealm>
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

      const held = Effect.fnUntraced(function* (userId: UserId | undefined) {
        const realm = yield* CurrentRealm
        const gone = userId === undefined || isBeingReset(realm.pendingReset, "user", userId)
        return gone ? undefined : yield* users.findForUpdate(realm.id, userId)
      })

      const kept = ({ accessToken, expiresAt }: ProviderToken) => ({
        accessToken: accessToken.length > TOKEN_LENGTH ? null : accessToken,
        tokenExpiresAt: expiresAt
      })

      const credentialOf = ({ provider, profile, token }: Presented) => ({
        credentialType: provider.providerType,
        authProviderId: provider.id,
        providerUserId: profile.providerUserId,
        ...kept(token)
      })

      /** The provider's token alone changes, which nobody is told of. */
      const refresh = Effect.fnUntraced(function* ({ id }: ProfileLink, token: ProviderToken) {
        const before = yield* credentials.find((yield* CurrentRealm).id, id)
        if (before === undefined) return
        const { accessToken: secret, tokenExpiresAt } = kept(token)
        const after = { ...before, secret, tokenExpiresAt }
        if (!Equal.equals(before, after)) yield* credentials.update(after)
      })

      const link = Effect.fnUntraced(function* (before: User, presented: Presented) {
        const { user, ended } = yield* mailboxes.take("verified_provider", before)
        yield* newCredentials.add(user, yield* newCredentials.draft(credentialOf(presented), user))
        return { user, happenings: [{ eventType: "user.updated" as const, userId: user.id }, ...ended] }
      })

      const create = Effect.fnUntraced(function* (email: string, presented: Presented) {
        const { emailVerified, firstName, lastName } = presented.profile
        const draft = yield* newUsers.draft({
          userType: "human",
          usernameRequired: false,
          attributes: { email, emailVerification: emailVerified ? "verified" : "none", firstName, lastName },
          password: undefined,
          apiKey: undefined,
          credentials: [credentialOf(presented)]
        })
        yield* newUsers.insert(draft)
        return { user: draft.user, happenings: [{ eventType: "user.created" as const, userId: draft.user.id }] }
      })

      const once = Effect.fnUntraced(function* (
        presented: Presented
      ): Effect.fn.Return<Admitted, Rejected | HashingBusy, CurrentRealm> {
        const realm = yield* CurrentRealm
        const { provider, profile, token } = presented
        const find = profiles.find(realm.id, provider.id, profile.providerUserId)
        const holder = yield* held((yield* find)?.userId)
        // Once more: a takeover that held the user until now has taken the profile away.
        const found = holder === undefined ? undefined : yield* find
        const linked = found?.userId === holder?.id ? holder : undefined
        const named = linked === undefined && profile.email !== null
        const byEmail = named ? yield* held(yield* profiles.userByEmail(realm.id, profile.email)) : undefined
        const hasAnother = byEmail !== undefined && (yield* profiles.hasOf(realm.id, byEmail.id, provider.id))
        const proof = byEmail && (yield* mailboxes.decide("verified_provider", byEmail, "none"))
        const known = { linked, byEmail, hasAnother, takesOver: proof?._tag === "TakesOver" }
        const decision = decideExternalLogin(profile, known)
        switch (decision._tag) {
          case "Refuses":
            return decision
          case "LogsIn":
            if (found !== undefined) yield* refresh(found, token)
            return { user: decision.user, happenings: [] }
          case "Links":
            return yield* link(decision.user, presented)
          case "Creates":
            return yield* create(decision.email, presented)
        }
      })

      // What was read before and after another login's commit may not fit together: who is refused is looked at twice.
      const admit = Effect.fn("AccountLinking.admit")(function* (presented: Presented) {
        const admitted = yield* once(presented)
        return "why" in admitted ? yield* once(presented) : admitted
      })

      return AccountLinking.of({ admit })
    })
  )
}
