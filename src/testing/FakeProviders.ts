import { generateKeyPairSync } from "node:crypto"
import type { CreateAuthProvider } from "#client/Client"
import type { WellKnownPresets } from "#core/external/providers/Presets"
import { type ExternalType, externalTypes } from "#domain/AuthProvider"
import type { OutboundRequest, OutboundResponse } from "#platform/Outbound"
import { callerError, inspectInline } from "./CallerError.ts"
import { type FakeProvider, FakeProviderServer } from "./FakeProvider.ts"
import type { ReturnOfBrowser } from "./FakeResponses.ts"

/** The issuer of the fake `oidc` provider. */
const ISSUER = "https://oidc.example.test"

const oidc = {
  endpoints: {
    authorization: `${ISSUER}/authorize`,
    token: `${ISSUER}/token`,
    profile: `${ISSUER}/userinfo`,
    keys: `${ISSUER}/keys`
  },
  idTokens: { issuer: ISSUER, algorithms: ["RS256"], nonce: true, subjectIsProfileId: true, containsProfile: true }
}

/** A private key like those of Apple. */
const newPrivateKey = () =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString()

/** The base URL of the fake `oauth2` provider. */
const OAUTH2 = "https://oauth2.example.test"

const oauth2 = { authorization: `${OAUTH2}/authorize`, token: `${OAUTH2}/token`, profile: `${OAUTH2}/profile` }

const client = { client_id: "sallyport-tests", client_secret: "the-secret-of-sallyport-tests" }

/** The settings that the service needs for the `oauth2` provider. */
const oauth2Settings = {
  authorization_url: oauth2.authorization,
  token_url: oauth2.token,
  profile_url: oauth2.profile,
  id_field: "id",
  email_field: "email",
  email_verified_field: "email_verified",
  name_field: "name"
}

const isType = (type: unknown): type is ExternalType => externalTypes.some((known) => known === type)

/** The settings of a provider with presets, or of one whose settings describe it. */
const settingsOf = (type: ExternalType): CreateAuthProvider => {
  const common = { provider_type: type, ...client }
  if (type === "oauth2") return { ...common, ...oauth2Settings }
  if (type === "oidc") return { ...common, issuer: ISSUER }
  if (type !== "apple") return common
  return { ...common, client_secret: newPrivateKey(), team_id: "TESTTEAM01", key_id: "TESTKEY001" }
}

/** The fake providers of a service, one for each type that a test has requested. */
export class FakeProviders {
  readonly #presets: WellKnownPresets
  readonly #now: () => number
  readonly #providers = new Map<ExternalType, FakeProviderServer>()

  constructor(presets: WellKnownPresets, now: () => number) {
    this.#presets = presets
    this.#now = now
  }

  /** Returns the fake provider of a type, which is created on first use. */
  readonly of = (type: ExternalType): FakeProvider => {
    if (!isType(type)) {
      throw callerError(
        `Not a type of provider: ${inspectInline(type)}. Use one of ${externalTypes.join(", ")}.`,
        this.of
      )
    }
    const known = this.#providers.get(type)
    if (known !== undefined) return known
    const generic = { oauth2: { endpoints: oauth2 }, oidc }
    const preset = type === "oauth2" || type === "oidc" ? generic[type] : this.#presets[type]
    const created = new FakeProviderServer(type, preset, settingsOf(type), this.#now)
    this.#providers.set(type, created)
    return created
  }

  /** Returns whether a URL is the login page of a fake provider. */
  readonly isLoginPage = (url: URL): boolean => this.#at(url) !== undefined

  /** Returns a browser from a provider, or undefined if the request doesn't say where to. */
  readonly authorize = (url: URL): ReturnOfBrowser | undefined => this.#at(url)?.authorize(url)

  #at(url: URL): FakeProviderServer | undefined {
    return [...this.#providers.values()].find((provider) => provider.isAt(url))
  }

  /** Returns the response to a request of the service, or undefined if the request is not for a fake provider. */
  answer(request: OutboundRequest): Promise<OutboundResponse> | undefined {
    for (const provider of this.#providers.values()) {
      const answer = provider.answer(request)
      if (answer !== undefined) return answer
    }
    return undefined
  }
}
