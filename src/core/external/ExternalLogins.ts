import { Context, Effect, Layer } from "effect"
import { AuthProviderNotFound, type ExternalProvider, isExternal } from "#domain/AuthProvider"
import { ExternalLoginRefused, StateNotFound } from "#domain/ExternalLogin"
import { isInvitee } from "#domain/Invitation"
import { type LoginOutcome, LoginsOff, TokenNotFound } from "#domain/Login"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Problem, problem, Rejected, rejected } from "#domain/Rejected"
import type { User } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { AccountsRepo } from "#store/AccountsRepo"
import { AuthProvidersRepo } from "#store/AuthProvidersRepo"
import { Journal } from "../events/Journal.ts"
import { Acceptance } from "../invitations/Acceptance.ts"
import { LoginCompletion, type PendingKind } from "../login/LoginCompletion.ts"
import { AuthProviders } from "../realms/AuthProviders.ts"
import type { TokenScope } from "../sessions/NewSessions.ts"
import { AccountLinking, type Presented } from "./AccountLinking.ts"
import { AuthorizationCodeExchange } from "./AuthorizationCodeExchange.ts"
import { authorizationUrl } from "./AuthorizationUrl.ts"
import { type FoundState, OAuthStates } from "./OAuthStates.ts"
import { ProviderProfiles } from "./ProviderProfiles.ts"
import { presetOf, WellKnown } from "./providers/Presets.ts"

interface Asked {
  readonly pendingKind: PendingKind
  readonly scope: TokenScope
}

/** A person who has come back from a provider, with a code or an error. Blank text is none. */
export interface CodeBack extends Asked {
  readonly code: string
  readonly error: string
  readonly state: string
  /** What the caller kept in its session. */
  readonly nonce: string | null
  readonly issuer: string | null
}

/** An access token that a provider's own SDK has got. */
export interface TokenBrought extends Asked {
  readonly accessToken: string
}

/**
 * What such a login comes to, whether it has made the user, and whether that is the one who was invited: who is not, has not
 * joined anything yet.
 */
export type ExternalOutcome = LoginOutcome & { readonly isNew: boolean; readonly isInvitee: boolean }

type Failure = Rejected | HashingBusy | LoginsOff | ExternalLoginRefused | RealmNotFound

/** A login that ends at a provider, and the state it began with, if it did. */
interface Arrival {
  readonly provider: ExternalProvider
  readonly state: FoundState | undefined
}

/** What an error of a provider may be made of (RFC 6749 §4.1.2.1). */
const SAYABLE = /^[\x20-\x7e]{1,255}$/

const blank = (field: string): ReadonlyArray<Problem> => [problem(field, "blank")]

/** Logins through providers elsewhere (`v2.external`, C43). */
export class ExternalLogins extends Context.Service<
  ExternalLogins,
  {
    /**
     * `user.login.succeeded`, or `user.login.initiated` where a code of the second factor is due; before it `user.created`,
     * or `user.updated` for a profile that the user did not have. The state is used up by success alone. With an invitation
     * the login accepts it, or does not happen; not yet where a code is due, nor for another than was invited (SEC-92).
     */
    byCode(asked: CodeBack): Effect.Effect<ExternalOutcome, Failure | StateNotFound | TokenNotFound, CurrentRealm>
    /** The same, by an access token for the provider of this name. */
    byAccessToken(
      name: string,
      asked: TokenBrought
    ): Effect.Effect<ExternalOutcome, Failure | AuthProviderNotFound, CurrentRealm>
  }
>()("sallyport/core/ExternalLogins") {
  static readonly layer = Layer.effect(
    ExternalLogins,
    Effect.gen(function* () {
      const providers = yield* AuthProviders
      const repo = yield* AuthProvidersRepo
      const states = yield* OAuthStates
      const codes = yield* AuthorizationCodeExchange
      const profiles = yield* ProviderProfiles
      const externalUsers = yield* AccountLinking
      const accounts = yield* AccountsRepo
      const acceptance = yield* Acceptance
      const completion = yield* LoginCompletion
      const journal = yield* Journal
      const transaction = yield* Transaction
      const wellKnown = yield* WellKnown

      const refused = ({ provider, state }: Arrival, wrong: Problem, userEmail?: string | null) => {
        const preset = presetOf(wellKnown, provider)
        const retryUrl = state === undefined ? undefined : authorizationUrl(preset, provider, state, preset.retry)
        return new ExternalLoginRefused({ problem: wrong, providerId: provider.id, retryUrl, userEmail })
      }

      /** Why a call to the provider came to nothing, as a refusal of the login. */
      const failing = (arrival: Arrival) => ({
        ProviderFailed: ({ why }: { readonly why: string }) => refused(arrival, problem(null, why))
      })

      const clientOf = Effect.fnUntraced(function* (arrival: Arrival) {
        const secret = yield* repo.clientSecret(arrival.provider)
        // To the provider we would be somebody else.
        if (secret === null) return yield* refused(arrival, problem(null, "provider_secret"))
        return { provider: arrival.provider, secret: secret ?? "" }
      })

      const accept = (user: User, token: string) =>
        Effect.catchTags(acceptance.accept(user.id, token), {
          UserNotFound: (error) => Effect.die(error),
          Rejected: () => Effect.fail(new TokenNotFound())
        })

      /** Lets in whom a profile belongs to, in one transaction; of two that want the same thing one tries again. */
      const enter = Effect.fnUntraced(function* (arrival: Arrival, presented: Presented, asked: Asked) {
        const realm = yield* CurrentRealm
        const { email } = presented.profile
        const nobody = (why: string) => refused(arrival, problem(null, why), email)
        const once = transaction.run(
          Effect.gen(function* () {
            const provider = yield* repo.find(realm.id, presented.provider.id)
            if (provider?.state !== "active") return yield* new LoginsOff({ why: "provider_inactive" })
            if (arrival.state !== undefined) yield* arrival.state.consume
            const admitted = yield* externalUsers.admit(presented)
            if ("why" in admitted) return yield* nobody(admitted.why)
            const { user, happenings } = admitted
            yield* journal.record(happenings)
            const account = yield* accounts.find(realm.id, user.id)
            const isNew = happenings.some(({ eventType }) => eventType === "user.created")
            const token = arrival.state?.invitation
            const theirs = token !== undefined && isInvitee(yield* acceptance.look(token), presented.profile)
            const more = { isNew, isInvitee: theirs }
            if (account?.secondFactor) return { grant: yield* completion.requireMfa(user, asked.pendingKind), ...more }
            const grant = yield* completion.startSession(user)
            if (theirs) yield* accept(user, token)
            return { grant, ...more }
          })
        )
        const { grant, ...more } = yield* once.pipe(
          Effect.retry({ times: 1, while: (error) => error._tag === "Rejected" }),
          Effect.catchTags({ Rejected: () => nobody("login_failed"), UserInactive: () => nobody("login_failed") })
        )
        return { ...(yield* completion.complete(grant, asked.scope)), ...more }
      })

      const open = Effect.fnUntraced(function* () {
        const realm = yield* CurrentRealm
        return realm.state === "inactive" ? yield* new LoginsOff({ why: "realm_inactive" }) : realm
      })

      const byCode = Effect.fn("ExternalLogins.byCode")(function* (asked: CodeBack) {
        const { id: realmId } = yield* open()
        const { code, error } = asked
        const problems = [
          ...(asked.state === "" ? blank("state") : []),
          ...(code === "" && error === "" ? blank("code") : [])
        ]
        if (problems.length > 0) return yield* new Rejected({ problems })
        const state = yield* states.find(asked.state)
        if (!state.isBoundTo(asked.nonce)) return yield* rejected("nonce", "nonce_wrong")
        const provider = yield* repo.find(realmId, state.authProviderId)
        if (provider === undefined || !isExternal(provider)) return yield* new StateNotFound()
        if (provider.state === "inactive") return yield* new LoginsOff({ why: "provider_inactive" })

        const arrival: Arrival = { provider, state }
        if (error !== "") {
          const said = SAYABLE.test(error) ? error : "invalid"
          return yield* refused(arrival, problem("error", "provider_error", { error: said }))
        }
        const preset = presetOf(wellKnown, provider)
        const client = yield* clientOf(arrival)
        const presented = yield* codes.exchange(preset, client, { ...state, code, issuer: asked.issuer }).pipe(
          Effect.flatMap(({ token, subject }) =>
            Effect.map(profiles.read(preset, token.accessToken, subject), (profile) => ({ provider, profile, token }))
          ),
          Effect.catchTags(failing(arrival))
        )
        return yield* enter(arrival, presented, asked)
      })

      const byAccessToken = Effect.fn("ExternalLogins.byAccessToken")(function* (name: string, asked: TokenBrought) {
        const { accessToken } = asked
        const provider = yield* providers.get(name)
        if (!isExternal(provider)) return yield* new AuthProviderNotFound({ name })
        yield* open()
        if (accessToken === "") return yield* new Rejected({ problems: blank("access_token") })
        if (provider.state === "inactive") return yield* new LoginsOff({ why: "provider_inactive" })

        const arrival: Arrival = { provider, state: undefined }
        const preset = presetOf(wellKnown, provider)
        const client = yield* clientOf(arrival)
        const profile = yield* Effect.andThen(
          profiles.inspect(preset, client, accessToken),
          profiles.read(preset, accessToken, undefined)
        ).pipe(Effect.catchTags(failing(arrival)))
        const token = { accessToken, expiresAt: null }
        return yield* enter(arrival, { provider, profile, token }, asked).pipe(
          Effect.catchTag(["StateNotFound", "TokenNotFound"], (error) => Effect.die(error))
        )
      })

      return ExternalLogins.of({ byCode, byAccessToken })
    })
  )
}
