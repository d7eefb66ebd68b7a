import type { WellKnownPresets } from "#core/external/providers/Presets"
import { type ExternalType, externalTypes } from "#domain/AuthProvider"
import type { OutboundRequest, OutboundResponse } from "#platform/Outbound"
import { callerError, inspectInline } from "./CallerError.ts"
import { type FakeProvider, FakeProviderServer } from "./FakeProvider.ts"

/** The base URL of the fake `oauth2` provider. */
const OAUTH2 = "https://oauth2.example.test"

const oauth2 = { authorization: `${OAUTH2}/authorize`, token: `${OAUTH2}/token`, profile: `${OAUTH2}/profile` }

const client = { client_id: "sallyport-tests", client_secret: "the-secret-of-sallyport-tests" }

/** The settings that the service needs for the `oauth2` provider. For all other types, the service has presets. */
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
    const preset = type === "oauth2" ? { endpoints: oauth2 } : this.#presets[type]
    const settings = { provider_type: type, ...client, ...(type === "oauth2" ? oauth2Settings : {}) }
    const created = new FakeProviderServer(type, preset, settings, this.#now)
    this.#providers.set(type, created)
    return created
  }

  /** Returns whether a URL is the login page of a fake provider. */
  readonly isLoginPage = (url: URL): boolean => this.#at(url) !== undefined

  /** Returns the URL that a provider redirects a browser back to, or undefined if the request names none. */
  readonly authorize = (url: URL): string | undefined => this.#at(url)?.authorize(url)

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
