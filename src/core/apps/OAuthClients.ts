import { Context, DateTime, Effect, Equal, Layer } from "effect"
import { defaultAppearance } from "#domain/Appearance"
import { ConnectedAppNotFound } from "#domain/ConnectedApp"
import { DocumentKnown, MAX_UNUSED, TooManyClients } from "#domain/clients/ClientRegistration"
import { clientTypeRules } from "#domain/clients/ClientTypeRules"
import { hasSecret, type OAuthClient, type OAuthClientType } from "#domain/clients/OAuthClient"
import {
  applyOAuthInput,
  defaultOAuthSettings,
  type OAuthClientInput,
  oauthClientProblems
} from "#domain/clients/OAuthClientInput"
import { changedMembers } from "#domain/EventChanges"
import { isId } from "#domain/Ids"
import { rejectIfAny } from "#domain/KnownProblems"
import { CurrentRealm, RealmNotFound } from "#domain/Realm"
import { type Problem, problem, type Rejected, rejection } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { OutboundPolicy } from "#platform/OutboundPolicy"
import type { KeyMaterial } from "#platform/Signer"
import { randomSecret, sha256Text } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { AppLogosRepo } from "#store/apps/AppLogosRepo"
import { ConnectedAppsRepo } from "#store/apps/ConnectedAppsRepo"
import { OAuthClientsRepo } from "#store/oauth/OAuthClientsRepo"
import { type NewRegistration, OAuthRegistrationsRepo } from "#store/oauth/OAuthRegistrationsRepo"
import { RealmsRepo } from "#store/realms/RealmsRepo"
import { noLogos, type ReadLogos } from "../appearance/LogoImages.ts"
import { insertLogos, withLogos } from "../appearance/SavedLogos.ts"
import { Journal } from "../events/Journal.ts"
import { KeyRing } from "../keys/KeyRing.ts"
import { CachedClients } from "./CachedClients.ts"
import { readKeys } from "./ClientKeys.ts"

/** How many hours a secret remains valid after it was replaced. */
const OVERLAP_HOURS = 24

/** A client with its new secret, which is shown only this once. The secret is null if the client uses none. */
interface ClientWithSecret {
  readonly app: OAuthClient
  readonly clientSecret: string | null
}

/** Manages the connected apps that are OAuth clients. */
export class OAuthClients extends Context.Service<
  OAuthClients,
  {
    /**
     * Records `login_policy.created`. If the realm has no active rs256 key to sign OAuth tokens, adds one and records
     * `realm.updated`.
     */
    create(
      clientType: OAuthClientType,
      input: OAuthClientInput,
      logos: ReadLogos
    ): Effect.Effect<ClientWithSecret, Rejected | RealmNotFound, CurrentRealm>
    /**
     * Creates a client that registers itself. Records `login_policy.created` and `oauth.client.registered`. Limits the number
     * of clients that registered without an API key and never got a token.
     */
    register(
      clientType: OAuthClientType,
      input: OAuthClientInput,
      registration: NewRegistration
    ): Effect.Effect<ClientWithSecret, Rejected | RealmNotFound | TooManyClients | DocumentKnown, CurrentRealm>
    /**
     * Records `login_policy.updated` if anything changed. `clientType` is the new client type; if omitted, the type stays the
     * same.
     */
    update(
      id: string,
      input: OAuthClientInput,
      logos?: ReadLogos,
      clientType?: OAuthClientType
    ): Effect.Effect<OAuthClient, ConnectedAppNotFound | Rejected | RealmNotFound, CurrentRealm>
    /** Records `oauth.client_secret.rotated`. Fails if the client does not authenticate with a secret. */
    rotateSecret(
      id: string
    ): Effect.Effect<ClientWithSecret, ConnectedAppNotFound | Rejected | RealmNotFound, CurrentRealm>
    /** Records `login_policy.deleted`. Its grants and tokens are deleted with it. */
    delete(id: string): Effect.Effect<void, ConnectedAppNotFound | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/OAuthClients") {
  static readonly layer = Layer.effect(
    OAuthClients,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const entropy = yield* Entropy
      const repo = yield* OAuthClientsRepo
      const registrations = yield* OAuthRegistrationsRepo
      const apps = yield* ConnectedAppsRepo
      const cached = yield* CachedClients
      const realms = yield* RealmsRepo
      const logosRepo = yield* AppLogosRepo
      const keys = yield* KeyRing
      const journal = yield* Journal
      const transaction = yield* Transaction
      const outbound = yield* OutboundPolicy

      const newSecret = () => `ocs_${randomSecret(entropy)}`

      const loginAppProblems = Effect.fnUntraced(function* (id: string | null) {
        const { id: realmId } = yield* CurrentRealm
        const app = id !== null && isId("app", id) ? yield* apps.find(realmId, id) : undefined
        return id === null || app !== undefined ? [] : [problem("login_app_id", "unknown")]
      })

      /** Returns the client with a caller's settings applied, if they are valid. */
      const apply = Effect.fnUntraced(function* (before: OAuthClient, input: OAuthClientInput, logos: ReadLogos) {
        const applied = withLogos(applyOAuthInput(before, input), logos)
        const read = readKeys(input.jwks)
        const sentApp = input.loginAppId === undefined ? before.loginAppId : nonBlank(input.loginAppId)
        const appProblems = yield* loginAppProblems(sentApp)
        const loginAppId = sentApp !== null && isId("app", sentApp) ? sentApp : null
        const stored = applied.jwksUri === null ? before.jwks : null
        const jwks = read.jwks === undefined ? stored : read.jwks
        const after: OAuthClient = { ...applied, loginAppId, jwks }
        const hasKeys = jwks !== null || after.jwksUri !== null
        const lacksKeys = read.problems.length === 0 && after.tokenEndpointAuthMethod === "private_key_jwt" && !hasKeys
        const hasBoth = jwks !== null && after.jwksUri !== null
        // The client may keep scopes that the realm has removed from its list.
        const ownScopes = [...(yield* CurrentRealm).oauthScopes, ...before.allowedScopes]
        const problems: ReadonlyArray<Problem> = [
          ...oauthClientProblems(after, { ownScopes, targetProblem: outbound.problem }),
          ...read.problems,
          ...(lacksKeys ? [problem("jwks", "blank")] : []),
          ...(hasBoth ? [problem("jwks_uri", "jwks_twice")] : []),
          ...appProblems,
          ...logos.problems
        ]
        yield* rejectIfAny(problems)
        return after
      })

      /** Locks the realm until the transaction ends, so that its keys can't change. */
      const lockRealm = Effect.gen(function* () {
        const { id } = yield* CurrentRealm
        return (yield* realms.findLocked(id, "changes")) ?? (yield* new RealmNotFound({ id }))
      })

      const insertRegistration = Effect.fnUntraced(function* (app: OAuthClient, registration: NewRegistration) {
        const { unusedUntil } = registration
        const isFull = unusedUntil !== null && (yield* registrations.countUnused(app.realmId, MAX_UNUSED)) >= MAX_UNUSED
        if (isFull) return yield* new TooManyClients()
        if (!(yield* registrations.insert(app, registration))) return yield* new DocumentKnown()
        yield* journal.record([{ eventType: "oauth.client.registered", appId: app.id }])
      })

      /**
       * Inserts the client, and `key` if the realm has no rs256 key yet. If the realm needs a key and `key` is undefined, does
       * nothing and returns undefined.
       */
      const tryInsert = Effect.fnUntraced(function* (
        { app, clientSecret }: ClientWithSecret,
        logos: ReadLogos,
        key: KeyMaterial | undefined,
        registration: NewRegistration | undefined
      ) {
        yield* lockRealm
        const needsKey = !(yield* keys.hasRs256(app.realmId))
        if (needsKey && key === undefined) return undefined
        yield* repo.insert(app)
        if (clientSecret !== null) yield* repo.addSecret(app, sha256Text(clientSecret), app.createdAt, app.createdAt)
        yield* insertLogos(logosRepo, app, logos)
        yield* journal.record([{ eventType: "login_policy.created", appId: app.id }])
        if (registration !== undefined) yield* insertRegistration(app, registration)
        if (needsKey && key !== undefined) {
          yield* keys.add(app.realmId, key)
          yield* journal.record([{ eventType: "realm.updated", changed: ["jwt_keys"] }])
        }
        return { app, clientSecret }
      })

      const insertNew = Effect.fn("OAuthClients.create")(function* (
        clientType: OAuthClientType,
        input: OAuthClientInput,
        logos: ReadLogos,
        registration: NewRegistration | undefined
      ) {
        const blank: OAuthClient = {
          id: yield* ids.make("app"),
          realmId: (yield* CurrentRealm).id,
          createdAt: yield* DateTime.now,
          clientType,
          state: "active",
          name: "",
          redirectUris: [],
          appearance: defaultAppearance,
          registration: registration ?? null,
          ...defaultOAuthSettings(clientTypeRules[clientType])
        }
        const app = yield* apply(blank, input, logos)
        const created = { app, clientSecret: hasSecret(app) ? newSecret() : null }
        // Generating a key is slow, so it happens before the transaction. If the realm's only key was deleted meanwhile, try
        // again with a new key.
        const key = (yield* keys.hasRs256(app.realmId)) ? undefined : yield* keys.generate("rs256")
        const inserted = yield* transaction.run(tryInsert(created, logos, key, registration))
        if (inserted !== undefined) return inserted
        const newKey = yield* keys.generate("rs256")
        return (yield* transaction.run(tryInsert(created, logos, newKey, registration))) ?? created
      })

      const create = (clientType: OAuthClientType, input: OAuthClientInput, logos: ReadLogos) =>
        Effect.catchTags(insertNew(clientType, input, logos, undefined), {
          TooManyClients: Effect.die,
          DocumentKnown: Effect.die
        })

      const lockClient = Effect.fnUntraced(function* (id: string) {
        const realm = yield* CurrentRealm
        const app = isId("app", id) ? yield* repo.findForUpdate(realm.id, id) : undefined
        return app ?? (yield* new ConnectedAppNotFound({ id }))
      })

      const register = (clientType: OAuthClientType, input: OAuthClientInput, registration: NewRegistration) =>
        insertNew(clientType, input, noLogos, registration)

      const update = Effect.fn("OAuthClients.update")(function* (
        id: string,
        input: OAuthClientInput,
        logos = noLogos,
        clientType?: OAuthClientType
      ) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* lockClient(id)
            const after = yield* apply({ ...before, clientType: clientType ?? before.clientType }, input, logos)
            if (Equal.equals(before, after)) return before
            yield* repo.update(after)
            yield* cached.invalidate(after)
            if (!Equal.equals(before.appearance, after.appearance)) {
              yield* insertLogos(logosRepo, after, logos)
              yield* logosRepo.deleteUnused(after)
            }
            const changed = changedMembers(before, after)
            yield* journal.record([{ eventType: "login_policy.updated", appId: after.id, changed }])
            return after
          })
        )
      })

      const rotateSecret = Effect.fn("OAuthClients.rotateSecret")(function* (id: string) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const app = yield* lockClient(id)
            if (!hasSecret(app)) return yield* rejection("token_endpoint_auth_method", "no_client_secret")
            const clientSecret = newSecret()
            const now = yield* DateTime.now
            yield* repo.addSecret(app, sha256Text(clientSecret), now, DateTime.add(now, { hours: OVERLAP_HOURS }))
            yield* cached.invalidate(app)
            yield* journal.record([{ eventType: "oauth.client_secret.rotated", appId: app.id }])
            return { app, clientSecret }
          })
        )
      })

      const remove = Effect.fn("OAuthClients.delete")(function* (id: string) {
        yield* transaction.run(
          Effect.gen(function* () {
            const app = yield* lockClient(id)
            yield* repo.delete(app)
            yield* cached.invalidate(app)
            yield* journal.record([{ eventType: "login_policy.deleted", appId: app.id }])
          })
        )
      })

      return OAuthClients.of({ create, register, update, rotateSecret, delete: remove })
    })
  )
}
