import { Context, Effect, Layer } from "effect"
import { AuthProviderNotFound, type ExternalProvider, isExternal } from "#domain/AuthProvider"
import { ExternalLoginRefused, StateNotFound } from "#domain/ExternalLogin"
import { isInvitee } from "#domain/Invitation"
import { LoginsOff, TokenNotFound } from "#domain/Login"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Problem, problem, Rejected, rejection } from "#domain/Rejected"
import type { User } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { AccountsRepo } from "#store/users/AccountsRepo"
import { Journal } from "../events/Journal.ts"
import { Acceptance } from "../invitations/Acceptance.ts"
import { RejectedLogins } from "../limits/RejectedLogins.ts"
import { LoginCompletion } from "../login/LoginCompletion.ts"
import { LoginMetrics } from "../login/LoginMetrics.ts"
import { AccountLinking, type ExternalIdentity } from "./AccountLinking.ts"
import { AuthorizationCodeExchange } from "./AuthorizationCodeExchange.ts"
import { authorizationUrl } from "./AuthorizationUrl.ts"
import { AuthProviders } from "./AuthProviders.ts"
import { clientSecretOf } from "./ClientSecrets.ts"
import type { AccessTokenLogin, AuthorizationResponse, ExternalOutcome, LoginRequest } from "./ExternalLoginRequests.ts"
import { type FoundState, OAuthStates } from "./OAuthStates.ts"
import { ProviderPresets } from "./ProviderPresets.ts"
import { providerProfiles } from "./ProviderProfiles.ts"
import type { Preset } from "./providers/Preset.ts"

type Failure = Rejected | HashingBusy | LoginsOff | ExternalLoginRefused | RealmNotFound

/** A login through a provider, with its OAuth state, or without a state if the caller has an access token. */
interface ProviderLogin {
  readonly provider: ExternalProvider
  readonly state: FoundState | undefined
  /** Undefined if the provider can't be reached. */
  readonly preset: Preset | undefined
}

/** The format of an error code in an authorization response (RFC 6749 §4.1.2.1). */
const ERROR_FORMAT = /^[\x20-\x7e]{1,255}$/

const blank = (field: string): ReadonlyArray<Problem> => [problem(field, "blank")]

/** Logs users in through external providers (`v2.external`, C43). */
export class ExternalLogins extends Context.Service<
  ExternalLogins,
  {
    /**
     * Logs a person in with an authorization response. Records `user.created` for a new user or `user.updated` for a newly
     * linked profile, then `user.login.succeeded`, or `user.login.initiated` if a second factor is required. The state is
     * used up only on success.
     *
     * If the login has an invitation, it also accepts the invitation. The invitation stays open if a second factor is
     * required, or if it is for another person (SEC-92).
     */
    byCode(
      request: AuthorizationResponse
    ): Effect.Effect<ExternalOutcome, Failure | StateNotFound | TokenNotFound, CurrentRealm>
    /**
     * Returns the profile behind an authorization response, and the stored state. If `purpose` returns false for the state,
     * fails with `StateNotFound`, because a login's state can't be used for a link and vice versa. Doesn't use up the state.
     */
    identify(
      response: Omit<AuthorizationResponse, keyof LoginRequest>,
      purpose: (state: FoundState) => boolean
    ): Effect.Effect<
      { readonly identity: ExternalIdentity; readonly state: FoundState; readonly preset: Preset },
      Rejected | LoginsOff | ExternalLoginRefused | StateNotFound,
      CurrentRealm
    >
    /** Logs a person in with an access token for the provider with this ID or type. Records the same events as `byCode`. */
    byAccessToken(
      name: string,
      request: AccessTokenLogin
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
      const profiles = yield* providerProfiles
      const linking = yield* AccountLinking
      const accounts = yield* AccountsRepo
      const acceptance = yield* Acceptance
      const completion = yield* LoginCompletion
      const journal = yield* Journal
      const refused = yield* RejectedLogins
      const transaction = yield* Transaction
      const countOutcome = (yield* LoginMetrics).count("provider")
      const presets = yield* ProviderPresets

      const makeRejection = (
        { provider, state, preset }: ProviderLogin,
        reason: Problem,
        { email: userEmail, user }: { readonly email?: string | null; readonly user?: User | undefined } = {}
      ) => {
        const retryUrl =
          state === undefined || preset === undefined
            ? undefined
            : authorizationUrl(preset, provider, state, preset.retryParameters)
        const started = state && { ...state, state: state.appState }
        return new ExternalLoginRefused({
          problem: reason,
          providerId: provider.id,
          retryUrl,
          started,
          userEmail,
          user
        })
      }

      /** Turns failed calls to the provider into rejected logins. */
      const rejectOnFailure = (login: ProviderLogin) => ({
        ProviderFailed: ({ why }: { readonly why: string }) => makeRejection(login, problem(null, why))
      })

      const clientOf = Effect.fnUntraced(function* (login: ProviderLogin) {
        const secret = yield* clientSecretOf(login.provider, yield* repo.clientSecret(login.provider))
        // The secret can't be decrypted. Without it, the provider would not recognize our client.
        if (secret === null) return yield* makeRejection(login, problem(null, "provider_secret"))
        return { provider: login.provider, secret }
      })

      const findPreset = (login: Omit<ProviderLogin, "preset">) =>
        Effect.catchTags(presets.of(login.provider), rejectOnFailure({ ...login, preset: undefined }))

      const accept = (user: User, token: string) =>
        Effect.catchTags(acceptance.accept(user.id, token), {
          UserNotFound: (error) => Effect.die(error),
          Rejected: () => Effect.fail(new TokenNotFound())
        })

      /** Logs in the user of a profile, in one transaction. Retries once after a conflict with a concurrent login. */
      const logInUser = Effect.fnUntraced(function* (
        login: ProviderLogin,
        identity: ExternalIdentity,
        request: LoginRequest
      ) {
        const realm = yield* CurrentRealm
        const { email } = identity.profile
        const refuse = (why: string, user?: User) => {
          const params = user?.state === "inactive" ? { reason: "user_inactive" } : undefined
          return makeRejection(login, problem(null, why, params), { email, user })
        }
        const once = transaction.run(
          Effect.gen(function* () {
            const provider = yield* repo.find(realm.id, identity.provider.id)
            if (provider?.state !== "active") return yield* refused.failMethodOff()
            if (login.state !== undefined) yield* login.state.consume
            const resolved = yield* linking.resolve(identity)
            if ("why" in resolved) return yield* refuse(resolved.why, resolved.refused)
            const { user, events } = resolved
            yield* journal.record(events)
            const account = yield* accounts.find(realm.id, user.id)
            const isNew = events.some(({ eventType }) => eventType === "user.created")
            const token = login.state?.invitation
            const invitation = token === undefined ? undefined : yield* acceptance.find(token)
            const invited = invitation !== undefined && isInvitee(invitation, identity.profile)
            const flags = { isNew, isInvitee: invited, joinedOrgId: null }
            const grant = yield* completion.takeNextStep(user, {
              methods: ["fed"],
              provider: login.provider.providerType,
              hasSecondFactor: account?.secondFactor === true,
              pendingKind: request.pendingKind
            })
            if (grant._tag === "Mfa" || !invited || token === undefined) return { grant, ...flags }
            yield* accept(user, token)
            return { grant, ...flags, joinedOrgId: invitation.orgId }
          })
        )
        const { grant, ...flags } = yield* once.pipe(
          Effect.retry({ times: 1, while: (error) => error._tag === "Rejected" }),
          Effect.catchTags({ Rejected: () => refuse("login_failed"), UserInactive: () => refuse("login_failed") })
        )
        const { joinedOrgId } = flags
        const namesJoinedOrg = joinedOrgId !== null && request.scope.selectsOnlyOrg === true
        const scope = namesJoinedOrg ? { ...request.scope, orgId: joinedOrgId } : request.scope
        return { ...(yield* completion.complete(grant, scope)), ...flags }
      })

      /** Records a failed login, and the user if the profile identifies one (C278). */
      const recordFailure = Effect.fnUntraced(function* ({ user }: ExternalLoginRefused) {
        const reason = user?.state === "inactive" ? "user_inactive" : "provider_refused"
        yield* refused.count((yield* CurrentRealm).id, user?.id ?? null, reason)
      })

      const requireActiveRealm = Effect.fnUntraced(function* () {
        const realm = yield* CurrentRealm
        return realm.state === "inactive" ? yield* new LoginsOff({ why: "realm_inactive" }) : realm
      })

      const identify = Effect.fn("ExternalLogins.identify")(function* (
        request: Omit<AuthorizationResponse, keyof LoginRequest>,
        purpose: (state: FoundState) => boolean
      ) {
        const { id: realmId } = yield* requireActiveRealm()
        const { code, error } = request
        const problems = [
          ...(request.state === "" ? blank("state") : []),
          ...(code === "" && error === "" ? blank("code") : [])
        ]
        if (problems.length > 0) return yield* new Rejected({ problems })
        const state = yield* states.find(request.state)
        if (!purpose(state)) return yield* new StateNotFound()
        if (!state.isBoundTo(request.nonce)) return yield* rejection("nonce", "nonce_wrong")
        const provider = yield* repo.find(realmId, state.authProviderId)
        if (provider === undefined || !isExternal(provider)) return yield* new StateNotFound()
        if (provider.state === "inactive") return yield* new LoginsOff({ why: "provider_inactive" })

        const preset = yield* findPreset({ provider, state })
        const login: ProviderLogin = { provider, state, preset }
        if (error !== "") {
          // A user who cancels at the provider returns with `access_denied` (RFC 6749 §4.1.2.1).
          const why = error === "access_denied" ? "provider_denied" : "provider_error"
          const shownError = ERROR_FORMAT.test(error) ? error : "invalid"
          return yield* makeRejection(login, problem("error", why, { error: shownError }))
        }
        const client = yield* clientOf(login)
        const name = provider.providerType === "apple" ? (request.name ?? state.name) : undefined
        if (name !== undefined && name !== state.name) yield* state.keepName(name)
        const identity = yield* codes.exchange(preset, client, { ...state, code, issuer: request.issuer }).pipe(
          Effect.flatMap(({ token, subject, claims }) =>
            Effect.map(
              claims === undefined
                ? profiles.read(preset, token.accessToken, subject)
                : profiles.readClaims(preset, token.accessToken, claims),
              (profile) => ({ provider, profile: { ...profile, ...name }, token })
            )
          ),
          Effect.catchTags(rejectOnFailure(login))
        )
        return { identity, state, preset }
      })

      const byCode = Effect.fn("ExternalLogins.byCode")(function* (request: AuthorizationResponse) {
        const isLogin = ({ linksTo }: FoundState) => linksTo === undefined
        const { identity, ...found } = yield* refused.countMethodOff(identify(request, isLogin), Effect.undefined)
        return yield* logInUser({ provider: identity.provider, ...found }, identity, request)
      })

      const byAccessToken = Effect.fn("ExternalLogins.byAccessToken")(function* (
        name: string,
        request: AccessTokenLogin
      ) {
        const { accessToken } = request
        const provider = yield* providers.get(name)
        if (!isExternal(provider)) return yield* new AuthProviderNotFound({ name })
        yield* requireActiveRealm()
        if (accessToken === "") return yield* new Rejected({ problems: blank("access_token") })
        if (provider.state === "inactive") return yield* refused.failMethodOff()

        const preset = yield* findPreset({ provider, state: undefined })
        const login: ProviderLogin = { provider, state: undefined, preset }
        // The client of an access token would be unknown, and anybody could log in with a token that another app received.
        if (preset.idTokens?.containsProfile === true)
          return yield* makeRejection(login, problem("access_token", "access_token_unsupported"))
        const client = yield* clientOf(login)
        const profile = yield* Effect.andThen(
          profiles.inspect(preset, client, accessToken),
          profiles.read(preset, accessToken, undefined)
        ).pipe(Effect.catchTags(rejectOnFailure(login)))
        const token = { accessToken, expiresAt: null }
        return yield* logInUser(login, { provider, profile, token }, request).pipe(
          Effect.catchTag(["StateNotFound", "TokenNotFound"], (error) => Effect.die(error))
        )
      })

      const withRecordedFailure = <A, E, R>(login: Effect.Effect<A, E | ExternalLoginRefused, R>) =>
        Effect.tapError(login, (error) => (error instanceof ExternalLoginRefused ? recordFailure(error) : Effect.void))

      return ExternalLogins.of({
        identify,
        byCode: (request) => countOutcome(withRecordedFailure(byCode(request))),
        byAccessToken: (name, request) => countOutcome(withRecordedFailure(byAccessToken(name, request)))
      })
    })
  )
}
