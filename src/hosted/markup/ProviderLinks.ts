import type { ProviderType } from "#domain/AuthProvider"
import { type Html, html } from "#platform/Html"
import type { Texts } from "../texts/en.ts"
import { address, type Carried } from "./Fields.ts"
import { markOf } from "./ProviderLogos.ts"

/** A provider elsewhere that somebody can log in at. `name`: what its realm calls it. */
export interface OfferedProvider {
  readonly id: string
  readonly providerType: string
  readonly name: string | null
}

const names: ReadonlyMap<string, string> = new Map<ProviderType, string>([
  ["facebook", "Facebook"],
  ["github", "GitHub"],
  ["google", "Google"],
  ["linkedin", "LinkedIn"],
  ["slack", "Slack"],
  ["yahoo", "Yahoo"]
])

const labelled = ({ login: said }: Texts, { providerType, name }: OfferedProvider): string => {
  const known = name ?? names.get(providerType)
  return known === undefined ? said.otherProvider : said.provider(known)
}

/** The ways to log in elsewhere. */
export const providerLinks = (
  texts: Texts,
  providers: ReadonlyArray<OfferedProvider>,
  carried: Carried
): Html | undefined =>
  providers.length === 0
    ? undefined
    : html`<ul class="choices">${providers.map((provider) => {
        const href = address(`auth/${encodeURIComponent(provider.id)}`, carried)
        return html`<li><a class="choice" href="${href}">${markOf(provider.providerType)}${labelled(texts, provider)}</a></li>`
      })}</ul>`
