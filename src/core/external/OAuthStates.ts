import { Context, DateTime, Effect, Layer } from "effect"
import type { ExternalProvider } from "#domain/AuthProvider"
import { CurrentApp } from "#domain/ConnectedApp"
import { STATE_MINUTES, StateNotFound } from "#domain/ExternalLogin"
import type { ReturnPage } from "#domain/HostedPaths"
import type { AuthProviderId, RealmId } from "#domain/Ids"
import { CurrentRealm } from "#domain/Realm"
import { Entropy } from "#platform/Entropy"
import type { SecretLocation } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { constantTimeEqual, randomSecret, sha256, sha256Text } from "#platform/Tokens"
import { OAuthStatesRepo } from "#store/OAuthStatesRepo"
import type { Beginning } from "./AuthorizationUrl.ts"

/** What a caller wants of a login elsewhere: where its code is to arrive, and what binds it to the caller's session. */
export interface UrlAsked {
  readonly redirectUri: string
  readonly nonce: string | null
  /** Where the app is told of the login, in place of its handler. */
  readonly returnTo?: string | null
  /** What the app hears again beside the token. */
  readonly appState?: string | null
  /** The page of ours that it goes on at, in place of the app. */
  readonly ownPage?: ReturnPage | null
  /** The token of an invitation that the login accepts. */
  readonly invitation?: string | undefined
}

/** A login that came back, as it began. */
export interface FoundState extends Beginning {
  readonly authProviderId: AuthProviderId
  readonly returnTo: string | null
  readonly appState: string | null
  readonly ownPage: ReturnPage | null
  readonly invitation: string | undefined
  /** Whether this is what the caller kept: none where none was given. */
  isBoundTo(nonce: string | null): boolean
  /** Uses it up, inside the transaction of the login. Fails for everyone but one. */
  readonly consume: Effect.Effect<void, StateNotFound>
}

const FORM = /^[0-9A-Za-z]{43}$/

/** What is sealed of a beginning: words, the last of which may be missing. The app's `state` may hold any sign. */
const sealedOf = (verifier: string, nonce: string, { invitation, appState = null }: UrlAsked): string => {
  const state = appState === null ? [] : [encodeURIComponent(appState)]
  const more = invitation === undefined && state.length === 0 ? [] : [invitation ?? "", ...state]
  return [verifier, nonce, ...more].join(" ")
}

const unsealed = (text: string) => {
  const [verifier = "", nonce = "", invitation = "", appState] = text.split(" ")
  return {
    verifier,
    nonce,
    invitation: invitation === "" ? undefined : invitation,
    appState: appState === undefined ? null : decodeURIComponent(appState)
  }
}

const place = (realm: RealmId, row: string): SecretLocation => ({ table: "oauth_states", column: "secret", row, realm })

/** Logins on their way to a provider elsewhere and back: good for 30 minutes and one success (C25, SEC-60). */
export class OAuthStates extends Context.Service<
  OAuthStates,
  {
    /** On an app's host: for this app alone. */
    begin(provider: ExternalProvider, asked: UrlAsked): Effect.Effect<Beginning>
    /** What began in the same place: on the host of the same app, or by a backend. */
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
        asked: UrlAsked
      ) {
        const { redirectUri, nonce: kept, returnTo = null, ownPage = null } = asked
        const [state, verifier, nonce] = [randomSecret(entropy), randomSecret(entropy), randomSecret(entropy)]
        const id = sha256Text(state)
        const createdAt = yield* DateTime.now
        yield* repo.insert({
          id,
          realmId,
          authProviderId,
          redirectUri,
          nonceDigest: kept === null ? null : sha256Text(kept),
          clientAppId: yield* CurrentApp,
          returnTo,
          ownPage,
          secret: yield* secrets.encrypt(place(realmId, id), sealedOf(verifier, nonce, asked)),
          createdAt,
          expiresAt: DateTime.add(createdAt, { minutes: STATE_MINUTES })
        })
        return { state, verifier, nonce, redirectUri }
      })

      const find = Effect.fn("OAuthStates.find")(function* (state: string) {
        const { id: realmId } = yield* CurrentRealm
        const id = sha256Text(state)
        const found = FORM.test(state) ? yield* repo.find(realmId, id, yield* DateTime.now) : undefined
        if (found === undefined || found.clientAppId !== (yield* CurrentApp)) return yield* new StateNotFound()
        const opened = yield* secrets.decrypt(place(realmId, id), found.secret)
        // Without the verifier no provider takes the code: the login has to begin anew.
        if (opened === null) return yield* new StateNotFound()
        const { verifier, nonce, invitation, appState } = unsealed(opened)
        const { redirectUri, authProviderId, nonceDigest, returnTo, ownPage } = found
        const bound = (kept: string | null) =>
          kept === null || nonceDigest === null
            ? kept === nonceDigest
            : constantTimeEqual(sha256(kept), Buffer.from(nonceDigest, "base64"))
        const consume = Effect.flatMap(DateTime.now, (now) => repo.consume(realmId, id, now)).pipe(
          Effect.flatMap((done) => (done ? Effect.void : Effect.fail(new StateNotFound())))
        )
        const beginning = { state, verifier, nonce, redirectUri }
        return { ...beginning, authProviderId, returnTo, appState, ownPage, invitation, isBoundTo: bound, consume }
      })

      return OAuthStates.of({ begin, find })
    })
  )
}
