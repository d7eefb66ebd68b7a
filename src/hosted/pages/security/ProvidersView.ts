import { type Html, html } from "#platform/Html"
import { pageUrl } from "../../FlowParams.ts"
import type { View } from "../../markup/Document.ts"
import { type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import { linkLine, primaryLink } from "../../markup/Links.ts"
import { type OfferedProvider, providerNameOf } from "../../markup/ProviderLinks.ts"
import { providerLogo } from "../../markup/ProviderLogos.ts"
import type { AppPageContext } from "../../PageContext.ts"
import { accountTabs } from "../account/AccountParts.ts"

/** A provider account that the user logs in with. */
export interface LinkedProvider extends OfferedProvider {
  /** The ID of the credential. */
  readonly credential: string
  readonly isRemovable: boolean
}

/** The providers of a realm, both connected and available. */
export interface ProviderList {
  readonly linked: ReadonlyArray<LinkedProvider>
  /** The providers that the user can connect. */
  readonly others: ReadonlyArray<OfferedProvider>
}

const row = (name: Html, action: Html): Html => html`<li class="row"><div>${name}</div>${action}</li>`

const labelled = (texts: AppPageContext["texts"], provider: OfferedProvider): Html =>
  html`<p class="service">${providerLogo(provider.providerType)}<bdi class="name">${providerNameOf(texts, provider).alone}</bdi></p>`

const actionForm = (
  { texts, flow }: AppPageContext,
  hidden: Readonly<Record<string, string>>,
  button: string,
  label: string
) => formMarkup(texts, { page: "security", hidden: { ...flow, ...hidden }, fields: [], button, label, quiet: true }, [])

/** The section with the user's accounts at other services. */
export const providersSection = (
  context: AppPageContext,
  { linked, others }: ProviderList,
  errors: FieldErrors
): Html => {
  const { texts } = context
  const { security: copy } = texts
  const linkedRow = (provider: LinkedProvider) => {
    const name = providerNameOf(texts, provider).within
    const unlink = { way: "unlink", credential: provider.credential }
    return provider.isRemovable
      ? row(labelled(texts, provider), actionForm(context, unlink, copy.unlink, copy.unlinkOf(name)))
      : row(html`${labelled(texts, provider)}<p class="soft">${copy.onlyWayIn}</p>`, html``)
  }
  const otherRow = (provider: OfferedProvider) => {
    const link = { way: "link", provider: provider.id }
    return row(
      labelled(texts, provider),
      actionForm(context, link, copy.link, copy.linkOf(providerNameOf(texts, provider).within))
    )
  }
  return html`<section class="part" aria-labelledby="providers">
<h2 id="providers">${copy.providers}</h2>
<p>${copy.providersLead}</p>
${errors.map(({ text }) => html`<p class="error" role="alert">${text}</p>`)}
<ul class="list">${linked.map(linkedRow)}${others.map(otherRow)}</ul>
</section>`
}

/** Shows a link for connecting an account at a provider. It is not a form, because forms can't lead to other sites. */
export const linkView = (context: AppPageContext, provider: OfferedProvider, url: string): View => {
  const { texts, flow } = context
  const { security: copy } = texts
  const name = providerNameOf(texts, provider).within
  return {
    status: 200,
    title: copy.linkTitle,
    above: accountTabs(context, "security"),
    content: html`<p>${copy.linkLead(name)}</p>
${primaryLink(url, copy.linkGo(name))}
${linkLine(pageUrl("security", flow), copy.cancel)}`
  }
}
