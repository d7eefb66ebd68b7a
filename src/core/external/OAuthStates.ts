import { Context, DateTime, Effect, Layer } from "effect"
import type { AssuranceLevel } from "#domain/Authentication"
import type { ExternalProvider } from "#domain/AuthProvider"
import { CurrentApp } from "#domain/ConnectedApp"
import { STATE_MINUTES, StateNotFound } from "#domain/ExternalLogin"
import type { ReturnPage } from "#domain/HostedPaths"
import { type AuthProviderId, isId, type RealmId, type UserId } from "#domain/Ids"
import { CurrentRealm } from "#domain/Realm"
import { nonBlank } from "#domain/Text"
import { Entropy } from "#platform/Entropy"
import type { SecretLocation } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { constantTimeEqual, randomSecret, sha256, sha256Text } from "#platform/Tokens"
import { OAuthStatesRepo } from "#store/login/OAuthStatesRepo"
import type { AuthorizationRequest } from "./AuthorizationUrl.ts"

/** A request for a login through an external provider. */
export interface AuthorizationUrlRequest {
  /** The URL to which the provider redirects with the code. */
  readonly redirectUri: string
  /** A secret in the caller's session that binds the login to this session. */
  readonly nonce: string | null
  /** The URL of the app to return to after the login, instead of its login handler. */
  readonly returnTo?: string | null
  /** The app's `state`, which is returned to the app with the token. */
  readonly appState?: string | null
  /** The hosted page to return to after the login, instead of to the app. */
  readonly ownPage?: ReturnPage | null
  /** The secret of the authorization request that continues on `ownPage`. */
  readonly authorization?: string | null
  /** The token of the invitation that the login accepts. */
  readonly invitation?: string | undefined
  /** The user to link the profile to, instead of logging in. */
  readonly linksTo?: UserId | undefined
  /** The assurance level that the app requires for the login. */
  readonly level?: AssuranceLevel
}

/** The name that a provider sends with the first login only. */
export interface SentName {
  readonly firstName: string | null
  readonly lastName: string | null
}

/** The stored state of a login, found when the browser returns from the provider. */
export interface FoundState extends AuthorizationRequest {
  readonly authProviderId: AuthProviderId
  readonly returnTo: string | null
  readonly appState: string | null
  readonly ownPage: ReturnPage | null
  readonly authorization: string | null
  readonly invitation: string | undefined
  /** The user to link the profile to, or undefined if the state belongs to a login. */
  readonly linksTo: UserId | undefined
  readonly level: AssuranceLevel
  /** The name that was kept with `keepName`. */
  readonly name: SentName | undefined
  /** Keeps a name with the state, so that another attempt with the same state has it, too. */
  keepName(name: SentName): Effect.Effect<void>
  /** Returns whether the nonce is the same as when the login started. Both are null if the caller uses no nonce. */
  isBoundTo(nonce: string | null): boolean
  /** Uses up the state, inside the transaction of the login. Fails if the state was already used. */
  readonly consume: Effect.Effect<void, StateNotFound>
}

const STATE_FORMAT = /^[0-9A-Za-z]{43}$/

/**
 * Joins a login's secret values with spaces, for encryption: verifier, nonce, invitation token, app state, user to link to,
 * level, authorization request, first and last name. The last seven may be blank. The app state, the authorization request and
 * the names are URI-encoded, because they may contain spaces.
 */
const encodeSecret = (
  verifier: string,
  nonce: string,
  { invitation, appState, linksTo, level, authorization }: Partial<AuthorizationUrlRequest>,
  name?: SentName
): string =>
  [
    verifier,
    nonce,
    invitation ?? "",
    encodeURIComponent(appState ?? ""),
    linksTo ?? "",
    level ?? "",
    encodeURIComponent(authorization ?? ""),
    encodeURIComponent(name?.firstName ?? ""),
    encodeURIComponent(name?.lastName ?? "")
  ].join(" ")

const decodeSecret = (text: string) => {
  const [verifier = "", nonce = "", invitation = "", appState = "", linksTo = "", level = "", ...encoded] =
    text.split(" ")
  const [authorization = null, firstName = null, lastName = null] = encoded.map((one) =>
    nonBlank(decodeURIComponent(one))
  )
  return {
    verifier,
    nonce,
    invitation: nonBlank(invitation) ?? undefined,
    appState: nonBlank(decodeURIComponent(appState)),
    linksTo: isId("user", linksTo) ? linksTo : undefined,
    level: level === "aal2" ? ("aal2" as const) : ("aal1" as const),
    authorization,
    name: firstName === null && lastName === null ? undefined : { firstName, lastName }
  }
}

const locationOf = (realm: RealmId, row: string): SecretLocation => ({
  table: "oauth_states",
  column: "secret",
  row,
  realm
})

/**
 * The OAuth states of logins through external providers. A state is valid for 30 minutes and one successful login (C25,
 * SEC-60).
 */
export class OAuthStates extends Context.Service<
  OAuthStates,
  {
    /** Stores a new state. A state created on an app's host is valid only on that host. */
    begin(provider: ExternalProvider, request: AuthorizationUrlRequest): Effect.Effect<AuthorizationRequest>
    /**
     * Finds the login with this state. A login started on an app's host is found only there. A login started by a backend is
     * found only outside of apps' hosts.
     */
    find(state: string): Effect.Effect<FoundState, StateNotFound, CurrentRealm>
  }
>()("sallyport/core/OAuthStates") {
  static readonly layer = Layer.effect(
    OAuthStates,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const secrets = yield* Secrets
      const repo = yield* OAuthStatesRepo

      const begin = Effect.fn("OAuthStates.begin")(function* (
        { realmId, id: authProviderId }: ExternalProvider,
        request: AuthorizationUrlRequest
      ) {
        const { redirectUri, nonce: callerNonce, returnTo = null, ownPage = null } = request
        const [state, verifier, nonce] = [randomSecret(entropy), randomSecret(entropy), randomSecret(entropy)]
        const id = sha256Text(state)
        const createdAt = yield* DateTime.now
        yield* repo.insert({
          id,
          realmId,
          authProviderId,
          redirectUri,
          nonceDigest: callerNonce === null ? null : sha256Text(callerNonce),
          appId: yield* CurrentApp,
          returnTo,
          ownPage,
          secret: yield* secrets.encrypt(locationOf(realmId, id), encodeSecret(verifier, nonce, request)),
          createdAt,
          expiresAt: DateTime.add(createdAt, { minutes: STATE_MINUTES })
        })
        return { state, verifier, nonce, redirectUri }
      })

      const find = Effect.fn("OAuthStates.find")(function* (state: string) {
        const { id: realmId } = yield* CurrentRealm
        const id = sha256Text(state)
        const found = STATE_FORMAT.test(state) ? yield* repo.find(realmId, id, yield* DateTime.now) : undefined
        if (found === undefined || found.appId !== (yield* CurrentApp)) return yield* new StateNotFound()
        const decrypted = yield* secrets.decrypt(locationOf(realmId, id), found.secret)
        // Without the verifier, the provider won't accept the code, so the user must start the login again.
        if (decrypted === null) return yield* new StateNotFound()
        const { verifier, nonce, appState, ...options } = decodeSecret(decrypted)
        const { redirectUri, authProviderId, nonceDigest, returnTo, ownPage } = found
        const isBoundTo = (callerNonce: string | null) =>
          callerNonce === null || nonceDigest === null
            ? callerNonce === nonceDigest
            : constantTimeEqual(sha256(callerNonce), Buffer.from(nonceDigest, "base64"))
        const consume = Effect.flatMap(DateTime.now, (now) => repo.consume(realmId, id, now)).pipe(
          Effect.flatMap((done) => (done ? Effect.void : Effect.fail(new StateNotFound())))
        )
        const keepName = Effect.fnUntraced(function* (name: SentName) {
          const text = encodeSecret(verifier, nonce, { ...options, appState }, name)
          yield* repo.updateSecret(realmId, id, yield* secrets.encrypt(locationOf(realmId, id), text))
        })
        const sent = { state, verifier, nonce, redirectUri }
        return { ...sent, ...options, authProviderId, returnTo, appState, ownPage, keepName, isBoundTo, consume }
      })

      return OAuthStates.of({ begin, find })
    })
  )
}
