import { Context, DateTime, Effect, Layer } from "effect"
import {
  assignedKeyProblems,
  type CredentialDetails,
  type CredentialType,
  GENERATE,
  isSocial,
  MOST_OF_TYPE,
  type NewPassword,
  ownerOf
} from "#domain/Credential"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm } from "#domain/Realm"
import { type Problem, problem, Rejected, rejected } from "#domain/Rejected"
import { presence } from "#domain/Text"
import type { User } from "#domain/User"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { secretText } from "#platform/Tokens"
import { AuthProvidersRepo } from "#store/AuthProvidersRepo"
import { type CredentialConflict, CredentialsRepo } from "#store/CredentialsRepo"
import { ApiKeyDigests } from "../tokens/ApiKeyDigests.ts"
import { SECRET_BYTES, totpSecret } from "../tokens/Totp.ts"
import { NewPasswords, type Owner } from "./NewPasswords.ts"

/** What a caller says of a credential (api-v1 section 2); what its type has no use for is ignored. */
export interface CredentialAttributes {
  readonly password?: string
  readonly passwordHash?: string
  readonly apiKey?: string | null
  readonly name?: string | null
  readonly authProviderId?: string | null
  readonly providerUserId?: string | null
  readonly accessToken?: string | null
  readonly tokenExpiresAt?: DateTime.Utc | null
}

/** A credential as a caller asks for it. */
export interface CredentialRequest extends CredentialAttributes {
  readonly credentialType: CredentialType
}

/** Whose credential it is to be. */
export type CredentialOwner = Owner & Pick<User, "userType">

/** An API key that was checked or made. `kept`: what is stored of it to be read again. */
export interface ApiKeyDraft {
  readonly key: string
  readonly digest: Uint8Array
  readonly kept: string | null
}

/** A new credential that was checked, its password hashed: ready to be inserted. */
export interface CredentialDraft {
  readonly attributes: Omit<CredentialDetails, "id" | "realmId" | "userId" | "createdAt">
  readonly passwordHash: string | null
  readonly apiKey: ApiKeyDraft | null
}

/** A new credential; with its API key, which is shown this once whatever the realm keeps. */
export interface CreatedCredential {
  readonly credential: CredentialDetails
  readonly apiKey: string | null
}

const nothing = {
  name: null,
  state: null,
  authProviderId: null,
  secret: null,
  providerUserId: null,
  tokenExpiresAt: null
}

/** What is refused where another credential is in the way, or the provider has just gone. */
const conflicts = {
  api_key: ["api_key", "taken"],
  password: ["password", "already_set"],
  provider: ["auth_provider_id", "unknown"],
  provider_user: ["provider_user_id", "taken"]
} as const satisfies Readonly<Record<CredentialConflict, readonly [field: string, code: string]>>

const sentenceOf = { api: "for_api_users", human: "for_humans" } as const

/** The password or the hash of one that a credential is asked for with; undefined: neither. */
export const passwordAsked = ({
  password,
  passwordHash
}: CredentialAttributes): Effect.Effect<NewPassword | undefined, Rejected> => {
  if (passwordHash === undefined) return Effect.succeed(password === undefined ? undefined : { password })
  return password === undefined
    ? Effect.succeed({ passwordHash })
    : Effect.fail(rejected("password_hash", "password_and_hash"))
}

/** The making of credentials, for all operations that make one. */
export class NewCredentials extends Context.Service<
  NewCredentials,
  {
    /** Checks a credential of a user, who may be yet to come. Slow (hashing), so to be called before any transaction. */
    draft(
      asked: CredentialRequest,
      owner: CredentialOwner
    ): Effect.Effect<CredentialDraft, Rejected | HashingBusy, CurrentRealm>
    /** The API key a caller asks for: `generate`, or one of their own. To be called before any transaction. */
    draftKey(asked: string): Effect.Effect<ApiKeyDraft, Rejected, CurrentRealm>
    /** Inserts a draft of a new user, inside the transaction; the drafts together are within `MOST_OF_TYPE`. */
    insert(user: User, draft: CredentialDraft): Effect.Effect<CreatedCredential, Rejected>
    /** Inserts a draft of a user whose row is held for update, if that may have one more of its type (SEC-102). */
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
      const passwords = yield* NewPasswords
      const providers = yield* AuthProvidersRepo

      const draftKey = Effect.fnUntraced(function* (asked: string) {
        const realm = yield* CurrentRealm
        const made = asked === GENERATE
        const problems = made ? [] : assignedKeyProblems(asked)
        if (problems.length > 0) return yield* new Rejected({ problems })
        const key = made ? `${realm.apiKeyPrefix ?? ""}${secretText(entropy)}` : asked
        const digest = yield* digests.digest(realm.id, key)
        return { key, digest, kept: realm.apiKeyPolicy === "encrypt" ? key : null }
      })

      const ofPassword = Effect.fnUntraced(function* (asked: CredentialRequest, owner: Owner) {
        const given = yield* passwordAsked(asked)
        if (given === undefined) return yield* rejected("password", "blank")
        const passwordHash = yield* passwords.draft(given, owner)
        const attributes = { ...nothing, credentialType: asked.credentialType }
        return { attributes, passwordHash, apiKey: null }
      })

      const ofApiKey = Effect.fnUntraced(function* ({ credentialType, apiKey: asked }: CredentialRequest) {
        const apiKey = yield* draftKey(presence(asked ?? null) ?? GENERATE)
        return { attributes: { ...nothing, credentialType, secret: apiKey.kept }, passwordHash: null, apiKey }
      })

      /** The provider that is named, or else the one of the type; and what is wrong with that. */
      const providerOf = Effect.fnUntraced(function* ({ credentialType, authProviderId: asked }: CredentialRequest) {
        const realm = yield* CurrentRealm
        const all = yield* providers.ofType(realm.id, credentialType)
        const id = presence(asked ?? null)
        const found = id === null ? all : all.filter((provider) => provider.id === id)
        const [provider] = found
        if (found.length > 1) return { wrong: problem("auth_provider_id", "blank") }
        return provider === undefined ? { wrong: problem("auth_provider_id", "unknown") } : { provider }
      })

      const ofTotp = Effect.fnUntraced(function* (asked: CredentialRequest) {
        const problems: Array<Problem> = []
        const name = presence(asked.name ?? null)
        const { provider, wrong } = yield* providerOf(asked)
        if (name === null) problems.push(problem("name", "blank"))
        if (wrong !== undefined) problems.push(wrong)
        if (provider?.state === "inactive") problems.push(problem("credential_type", "provider_inactive"))
        if (provider === undefined || problems.length > 0) return yield* new Rejected({ problems })
        const attributes = {
          ...nothing,
          credentialType: asked.credentialType,
          name,
          state: "new" as const,
          authProviderId: provider.id,
          secret: totpSecret(entropy.bytes(SECRET_BYTES))
        }
        return { attributes, passwordHash: null, apiKey: null }
      })

      const ofProfile = Effect.fnUntraced(function* (asked: CredentialRequest) {
        const problems: Array<Problem> = []
        const providerUserId = presence(asked.providerUserId ?? null)
        const { provider, wrong } = yield* providerOf(asked)
        if (wrong !== undefined) problems.push(wrong)
        if (providerUserId === null) problems.push(problem("provider_user_id", "blank"))
        if (provider === undefined || problems.length > 0) return yield* new Rejected({ problems })
        const attributes = {
          ...nothing,
          credentialType: asked.credentialType,
          authProviderId: provider.id,
          secret: presence(asked.accessToken ?? null),
          providerUserId,
          tokenExpiresAt: asked.tokenExpiresAt ?? null
        }
        return { attributes, passwordHash: null, apiKey: null }
      })

      const draft = Effect.fn("NewCredentials.draft")(function* (
        asked: CredentialRequest,
        owner: CredentialOwner
      ): Effect.fn.Return<CredentialDraft, Rejected | HashingBusy, CurrentRealm> {
        const { credentialType: type } = asked
        const whose = ownerOf(type)
        if (owner.userType !== whose) return yield* rejected("credential_type", sentenceOf[whose], { type })
        if (type === "password") return yield* ofPassword(asked, owner)
        if (type === "api_key") return yield* ofApiKey(asked)
        return yield* type === "totp" ? ofTotp(asked) : ofProfile(asked)
      })

      const insert = Effect.fnUntraced(function* (user: User, { attributes, passwordHash, apiKey }: CredentialDraft) {
        const credential: CredentialDetails = {
          ...attributes,
          id: yield* ids.make("credential"),
          realmId: user.realmId,
          userId: user.id,
          createdAt: yield* DateTime.now
        }
        if (isSocial(credential.credentialType) && (yield* repo.isLinked(credential))) {
          return yield* rejected("auth_provider_id", "already_linked")
        }
        const conflict = yield* repo.insert(credential, { passwordHash, keyDigest: apiKey?.digest ?? null })
        if (conflict !== undefined) {
          const [field, code] = conflicts[conflict]
          return yield* rejected(field, code)
        }
        return { credential, apiKey: apiKey?.key ?? null }
      })

      const add = Effect.fnUntraced(function* (user: User, draft: CredentialDraft) {
        const { credentialType: type } = draft.attributes
        if ((yield* repo.countOfType(user.realmId, user.id, type)) >= MOST_OF_TYPE) {
          return yield* rejected("credential_type", "too_many_credentials", { type, most: MOST_OF_TYPE })
        }
        return yield* insert(user, draft)
      })

      return NewCredentials.of({ draft, draftKey, insert, add })
    })
  )
}
