import type { ExternalType } from "#domain/AuthProvider"
import { socialPath } from "#domain/HostedPaths"
import { wellKnownNames } from "#domain/WellKnownProviders"
import { type Html, html } from "#platform/Html"
import { type FlowParams, pageUrl } from "../FlowParams.ts"
import type { Texts } from "../texts/en.ts"
import { providerLogo } from "./ProviderLogos.ts"

/** An external provider that users can log in with. `name` is its name in the realm. */
export interface OfferedProvider {
  readonly id: string
  readonly providerType: ExternalType
  readonly name: string | null
}

const knownName = ({ providerType, name }: OfferedProvider): string | undefined =>
  name ?? (providerType === "oauth2" || providerType === "oidc" ? undefined : wellKnownNames[providerType])

const labelOf = ({ login }: Texts, provider: OfferedProvider): string => {
  const known = knownName(provider)
  return known === undefined ? login.otherProvider : login.provider(known)
}

/** Returns the name of a provider, as a label and within a sentence. */
export const providerNameOf = ({ security }: Texts, provider: OfferedProvider) => {
  const name = knownName(provider)
  return { alone: name ?? security.otherProvider, within: name ?? security.theOtherProvider }
}

/** The URL that starts a login. It is relative, like all links between pages. */
const startUrl = ({ id }: OfferedProvider, flow: FlowParams): string =>
  pageUrl(socialPath("start", encodeURIComponent(id)).slice(1), flow)

/** Links that start a login with each provider. `base` is the path of the login page's folder, relative to the page. */
export const providerLinks = (
  texts: Texts,
  providers: ReadonlyArray<OfferedProvider>,
  flow: FlowParams,
  base = ""
): Html | undefined =>
  providers.length === 0
    ? undefined
    : html`<ul class="choices">${providers.map(
        (provider) =>
          html`<li><a class="choice" href="${base}${startUrl(provider, flow)}">${providerLogo(provider.providerType)}${labelOf(texts, provider)}</a></li>`
      )}</ul>`
