import { Context, DateTime, Effect, Layer } from "effect"
import type { ExternalType } from "#domain/AuthProvider"
import {
  type CredentialDetails,
  customKeyProblems,
  GENERATE,
  isSocial,
  MAX_CREDENTIALS_PER_TYPE,
  ownerTypeOf
} from "#domain/Credential"
import { rejectIfAny, rejectWith } from "#domain/KnownProblems"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm } from "#domain/Realm"
import { type Problem, problem, Rejected, rejection } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import type { User } from "#domain/User"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { randomSecret } from "#platform/Tokens"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { mapConflict, type Write } from "#store/statements/Writes"
import { type CredentialConflict, CredentialsRepo, type NewCredential } from "#store/users/CredentialsRepo"
import { ApiKeyDigests } from "../tokens/ApiKeyDigests.ts"
import { RecoveryCodes } from "../tokens/RecoveryCodes.ts"
import { SECRET_BYTES, totpSecret } from "../tokens/Totp.ts"
import {
  type ApiKeyDraft,
  type CreatedCredential,
  type CredentialDraft,
  type CredentialOwner,
  type CredentialRequest,
  requestedPassword
} from "./CredentialRequest.ts"
import { NewPasswords, type Owner } from "./NewPasswords.ts"

const emptyAttributes = {
  name: null,
  state: null,
  authProviderId: null,
  secret: null,
  providerUserId: null,
  tokenExpiresAt: null,
  codesLeft: null
}

/** The rejection for each conflict: with another credential, or because the provider was just deleted. */
const conflicts = {
  api_key: ["api_key", "taken"],
  password: ["password", "already_set"],
  provider: ["auth_provider_id", "unknown"],
  provider_user: ["provider_user_id", "taken"]
} as const satisfies Readonly<Record<CredentialConflict, readonly [field: string, code: string]>>

const conflictRejection = (conflict: CredentialConflict) => {
  const [field, code] = conflicts[conflict]
  return rejection(field, code)
}

/** The first credentials of a new user, with the write that inserts them. */
export interface FirstCredentials {
  readonly credentials: ReadonlyArray<CredentialDetails>
  readonly insertion: Write<Rejected>
}

const wrongOwnerCodes = { api: "for_api_users", human: "for_humans" } as const

/** Creates credentials. Used by all operations that create them. */
export class NewCredentials extends Context.Service<
  NewCredentials,
  {
    /**
     * Validates a credential for a user, who may not exist yet. This can be slow because of hashing, so call it before opening
     * a transaction.
     */
    draft(
      request: CredentialRequest,
      owner: CredentialOwner
    ): Effect.Effect<CredentialDraft, Rejected | HashingBusy, CurrentRealm>
    /**
     * Generates an API key if `requestedKey` is `generate`, and otherwise validates the requested key. Call it before opening
     * a transaction.
     */
    draftApiKey(requestedKey: string): Effect.Effect<ApiKeyDraft, Rejected, CurrentRealm>
    /**
     * Returns the write that inserts drafts for a new user. The number of drafts of each type is limited to
     * `MAX_CREDENTIALS_PER_TYPE`.
     */
    insertion(user: User, drafts: ReadonlyArray<CredentialDraft>): Effect.Effect<FirstCredentials, Rejected>
    /**
     * Inserts a draft for a user whose row is locked. Fails if the user has the maximum number of credentials of this type
     * (SEC-102).
     */
    add(user: User, draft: CredentialDraft): Effect.Effect<CreatedCredential, Rejected>
  }
>()("sallyport/core/NewCredentials") {
  static readonly layer = Layer.effect(
    NewCredentials,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const entropy = yield* Entropy
      const repo = yield* CredentialsRepo
      const digests = yield* ApiKeyDigests
      const recoveryCodes = yield* RecoveryCodes
      const passwords = yield* NewPasswords
      const providers = yield* AuthProvidersRepo

      const draftApiKey = Effect.fnUntraced(function* (requestedKey: string) {
        const realm = yield* CurrentRealm
        const isGenerated = requestedKey === GENERATE
        const problems = isGenerated ? [] : customKeyProblems(requestedKey)
        yield* rejectIfAny(problems)
        const key = isGenerated ? `${realm.apiKeyPrefix ?? ""}${randomSecret(entropy)}` : requestedKey
        const digest = yield* digests.digest(realm.id, key)
        return { key, digest, stored: realm.apiKeyPolicy === "encrypt" ? key : null }
      })

      const draftPassword = Effect.fnUntraced(function* (request: CredentialRequest, owner: Owner) {
        const password = yield* requestedPassword(request)
        if (password === undefined) return yield* rejectWith(problem("password", "blank"))
        const passwordHash = yield* passwords.draft(password, owner)
        const attributes = { ...emptyAttributes, credentialType: request.credentialType }
        return { attributes, passwordHash, apiKey: null }
      })

      const draftApiKeyCredential = Effect.fnUntraced(function* ({
        credentialType,
        apiKey: requestedKey
      }: CredentialRequest) {
        const apiKey = yield* draftApiKey(nonBlank(requestedKey ?? null) ?? GENERATE)
        return { attributes: { ...emptyAttributes, credentialType, secret: apiKey.stored }, passwordHash: null, apiKey }
      })

      /**
       * Finds the requested provider, or else the only provider of the type. If there is none, returns the problem as `wrong`.
       */
      const providerOf = Effect.fnUntraced(function* ({ credentialType, authProviderId }: CredentialRequest) {
        const realm = yield* CurrentRealm
        const all = yield* providers.ofType(realm.id, credentialType)
        const id = nonBlank(authProviderId ?? null)
        const found = id === null ? all : all.filter((provider) => provider.id === id)
        const [provider] = found
        if (found.length > 1) return { wrong: problem("auth_provider_id", "blank") }
        return provider === undefined ? { wrong: problem("auth_provider_id", "unknown") } : { provider }
      })

      const draftTotp = Effect.fnUntraced(function* (request: CredentialRequest) {
        const problems: Array<Problem> = []
        const name = nonBlank(request.name ?? null)
        const { provider, wrong } = yield* providerOf(request)
        if (name === null) problems.push(problem("name", "blank"))
        if (wrong !== undefined) problems.push(wrong)
        if (provider?.state === "inactive") problems.push(problem("credential_type", "provider_inactive"))
        yield* rejectIfAny(problems)
        if (provider === undefined) return yield* new Rejected({ problems })
        const attributes = {
          ...emptyAttributes,
          credentialType: request.credentialType,
          name,
          state: "new" as const,
          authProviderId: provider.id,
          secret: totpSecret(entropy.bytes(SECRET_BYTES))
        }
        return { attributes, passwordHash: null, apiKey: null }
      })

      const draftProfile = Effect.fnUntraced(function* (
        request: CredentialRequest & { readonly credentialType: ExternalType }
      ) {
        const problems: Array<Problem> = []
        const providerUserId = nonBlank(request.providerUserId ?? null)
        const { provider, wrong } = yield* providerOf(request)
        if (wrong !== undefined) problems.push(wrong)
        if (providerUserId === null) problems.push(problem("provider_user_id", "blank"))
        yield* rejectIfAny(problems)
        if (provider === undefined) return yield* new Rejected({ problems })
        const attributes = {
          ...emptyAttributes,
          credentialType: request.credentialType,
          authProviderId: provider.id,
          secret: nonBlank(request.accessToken ?? null),
          providerUserId,
          tokenExpiresAt: request.tokenExpiresAt ?? null
        }
        return { attributes, passwordHash: null, apiKey: null }
      })

      const draftRecoveryCodes = Effect.gen(function* () {
        const set = yield* recoveryCodes.make((yield* CurrentRealm).id)
        const attributes = {
          ...emptyAttributes,
          credentialType: "recovery_codes" as const,
          codesLeft: set.codes.length
        }
        return { attributes, passwordHash: null, apiKey: null, recoveryCodes: set }
      })

      const draft = Effect.fnUntraced(function* (
        request: CredentialRequest,
        owner: CredentialOwner
      ): Effect.fn.Return<CredentialDraft, Rejected | HashingBusy, CurrentRealm> {
        const { credentialType: type } = request
        const ownerType = ownerTypeOf(type)
        if (owner.userType !== ownerType)
          return yield* rejection("credential_type", wrongOwnerCodes[ownerType], { type })
        // Creating a passkey requires a ceremony with the authenticator, for which the user must already exist.
        if (type === "passkey") return yield* rejection("credential_type", "passkey_ceremony")
        if (type === "password") return yield* draftPassword(request, owner)
        if (type === "api_key") return yield* draftApiKeyCredential(request)
        if (type === "totp") return yield* draftTotp(request)
        if (type === "recovery_codes") return yield* draftRecoveryCodes
        return yield* draftProfile({ ...request, credentialType: type })
      })

      const detailsOf = (
        user: User,
        { attributes, passwordHash, apiKey, recoveryCodes: set }: CredentialDraft,
        createdAt: DateTime.Utc
      ): NewCredential => ({
        ...attributes,
        id: ids.makeAt("credential", createdAt.epochMilliseconds),
        realmId: user.realmId,
        userId: user.id,
        createdAt,
        passwordHash,
        keyDigest: apiKey?.digest ?? null,
        codeDigests: set?.digests ?? null
      })

      const alreadyLinked = rejection("auth_provider_id", "already_linked")

      const insertion = Effect.fnUntraced(function* (user: User, drafts: ReadonlyArray<CredentialDraft>) {
        const now = yield* DateTime.now
        const credentials = drafts.map((draft) => detailsOf(user, draft, now))
        const linked = credentials.filter(({ credentialType }) => isSocial(credentialType))
        if (new Set(linked.map(({ authProviderId }) => authProviderId)).size < linked.length)
          return yield* alreadyLinked
        return { credentials, insertion: mapConflict(yield* repo.insertion(credentials), conflictRejection) }
      })

      const add = Effect.fnUntraced(function* (user: User, draft: CredentialDraft) {
        const { credentialType: type } = draft.attributes
        // A user can only have one set. A new set replaces the old one, whose codes stop working (C140).
        if (type === "recovery_codes") yield* repo.deleteRecoveryCodes(user.realmId, user.id)
        if ((yield* repo.countOfType(user.realmId, user.id, type)) >= MAX_CREDENTIALS_PER_TYPE) {
          return yield* rejection("credential_type", "too_many_credentials", { type, most: MAX_CREDENTIALS_PER_TYPE })
        }
        const credential = detailsOf(user, draft, yield* DateTime.now)
        if (isSocial(type) && (yield* repo.isLinked(credential))) return yield* alreadyLinked
        const conflict = yield* repo.insert(credential)
        if (conflict !== undefined) return yield* conflictRejection(conflict)
        const codes = draft.recoveryCodes?.codes
        return {
          credential,
          apiKey: draft.apiKey?.key ?? null,
          ...(codes === undefined ? {} : { recoveryCodes: codes })
        }
      })

      return NewCredentials.of({ draft, draftApiKey, insertion, add })
    })
  )
}
