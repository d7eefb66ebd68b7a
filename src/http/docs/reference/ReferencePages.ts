import { type Html, html } from "#platform/Html"
import { pageDocument } from "../../pages/Layout.ts"
import { guideStyle } from "../GuideStyle.ts"
import { docsHeader } from "../Header.ts"
import { blocks, described } from "../Markdown.ts"
import { scriptUrl } from "../Script.ts"
import type { SearchEntry } from "../Search.ts"
import { type Endpoint, endpointsIn, nameOfRef, type OpenApi } from "./OpenApi.ts"
import { operationSection } from "./Operations.ts"
import { referenceStyle } from "./ReferenceStyle.ts"
import { membersOf, reachable, schemaId, schemaMarkup } from "./Schemas.ts"

/** The URL of the page of a group of endpoints. */
export const groupPath = (tag: string): string => `/docs/reference/${slugOf(tag)}`

/** The name of a group in its URL. */
export const slugOf = (tag: string): string => tag.replaceAll(/[^\w.]+/g, "-")

/** The name of a group as people read it, such as "API keys". The title of its section says the version. */
const nameOf = ({ tags }: OpenApi, tag: string): string =>
  (tags.find(({ name }) => name === tag)?.["x-displayName"] ?? tag)
    .replace(/^v\d /, "")
    .replace(/^(api|jwt) /, (word) => word.toUpperCase())
    .replace(/^./, (first) => first.toUpperCase())

/** Splits the name of a shared response into words. */
const titleOf = (name: string): string => name.replaceAll(/(?<=[a-z])[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)

const navigation = (document: OpenApi, endpoints: ReadonlyArray<Endpoint>, current?: string): Html => {
  const link = (tag: string) => {
    const isCurrent = tag === current
    const own = isCurrent ? endpoints.filter(({ tags }) => tags.includes(tag)) : []
    return html`<li><a href="${groupPath(tag)}"${isCurrent && html` aria-current="page"`}>${nameOf(document, tag)}</a>${
      own.length > 0 &&
      html`<ul>${own.map(({ operationId, summary }) => html`<li><a href="#${operationId}">${summary}</a></li>`)}</ul>`
    }</li>`
  }
  const group = ({ name, tags }: OpenApi["x-tagGroups"][number]) => {
    const list = html`<ul>${tags.map(link)}</ul>`
    const isOld = name.endsWith("version 1") && !tags.some((tag) => tag === current)
    return isOld ? html`<details><summary>${name}</summary>${list}</details>` : html`<h2>${name}</h2>${list}`
  }
  return html`<nav class="guides${current === undefined && html` listed`}" aria-label="API reference">
${document["x-tagGroups"].map(group)}</nav>`
}

interface Page {
  readonly title: string
  readonly article: Html
  readonly navigation: Html
}

const pageOf = (publicUrl: string, { title, article, navigation }: Page) =>
  pageDocument({
    publicUrl,
    language: "en",
    title: `${title} · Sallyport`,
    header: docsHeader("reference"),
    main: html`<article class="guide reference">
${article}</article>
${navigation}`,
    style: guideStyle + referenceStyle,
    script: scriptUrl
  })

/** Renders the first page: what all endpoints have in common, and the list of all endpoints. */
export const overviewPage = (publicUrl: string, document: OpenApi) => {
  const { components, info } = document
  const endpoints = endpointsIn(document)
  const options = { schemas: components.schemas, linked: new Set<string>(), isInput: false }
  const properties = Object.fromEntries(
    Object.values(components.parameters).map(({ name, description, schema }) => [name, { ...schema, description }])
  )
  const row = ({ operationId, summary, method, path }: Endpoint, tag: string) =>
    html`<li><a href="${groupPath(tag)}#${operationId}"><span>${summary}</span> <span class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path ?? "webhook"}</code></span></a></li>`
  const groups = document["x-tagGroups"].map(
    ({ name, tags }) => html`<h2 id="${slugOf(name)}">${name}</h2>
${tags.map(
  (tag) => html`<h3><a href="${groupPath(tag)}">${nameOf(document, tag)}</a></h3>
<ul class="endpoints">${endpoints.filter((one) => one.tags.includes(tag)).map((one) => row(one, tag))}</ul>`
)}`
  )
  const statuses = new Map(
    endpoints.flatMap(({ responses = {} }) =>
      Object.entries(responses).flatMap(([status, response]) =>
        "$ref" in response ? [[nameOfRef(response.$ref), status] as const] : []
      )
    )
  )
  const errors = Object.entries(components.responses).map(
    ([name, { description }]) =>
      html`<li><p><code class="member">${statuses.get(name)}</code> ${titleOf(name)}</p>${description !== undefined && described(description)}</li>`
  )
  const article = html`<h1>API reference</h1>
${blocks(info.description)}
<p>The <a href="/openapi.json">OpenAPI document</a> has everything that is described here.</p>
${groups}
<h2 id="parameters">Shared parameters</h2>
${membersOf({ properties }, options)}
<h2 id="errors">Errors</h2>
<ul class="members">${errors}</ul>
<h3>Error bodies</h3>
${schemaMarkup(components.schemas["Error"] ?? {}, options)}
`
  return pageOf(publicUrl, { title: "API reference", article, navigation: navigation(document, endpoints) })
}

/** Renders the page of a group of endpoints, with the objects that they return. */
export const groupPage = (publicUrl: string, document: OpenApi, tag: string) => {
  const endpoints = endpointsIn(document)
  const own = endpoints.filter(({ tags }) => tags.includes(tag))
  const { schemas } = document.components
  const returned = own.flatMap(({ responses = {} }) =>
    Object.values(responses).flatMap((response) =>
      "$ref" in response ? [] : Object.values(response.content ?? {}).flatMap(({ schema }) => schema ?? [])
    )
  )
  const names = [...new Set(returned.flatMap((schema) => [...reachable(schemas, schema)]))]
  const linked = new Set(names.filter((name) => name !== "Error" && schemas[name]?.properties !== undefined))
  const context = { document, publicUrl, linked }
  const title = nameOf(document, tag)
  const version = /^v\d/.exec(tag)?.[0]
  const about = document.tags.find(({ name }) => name === tag)?.description
  const object = (name: string) => html`<section class="operation" aria-labelledby="${schemaId(name)}">
<h3 id="${schemaId(name)}"><a href="#${schemaId(name)}">${name}</a></h3>
${schemaMarkup(schemas[name] ?? {}, { schemas, linked, isInput: false, inside: [name] })}
</section>
`
  const article = html`<h1>${title}${version !== undefined && html` <span class="version">${version}</span>`}</h1>
${about !== undefined && blocks(about)}
${own.map((endpoint) => operationSection(endpoint, context))}
${
  linked.size > 0 &&
  html`<h2 id="objects">Objects</h2>
${[...linked].map(object)}`
}`
  return pageOf(publicUrl, {
    title: `${title}${version === undefined ? "" : `, ${version}`}`,
    article,
    navigation: navigation(document, endpoints, tag)
  })
}

/** The endpoints as entries of the search. Those of version 2 come first. */
export const referenceEntries = (document: OpenApi): ReadonlyArray<SearchEntry> => {
  const order = document["x-tagGroups"].flatMap(({ tags }) => tags)
  const placeOf = ({ tags }: Endpoint) => order.indexOf(tags[0] ?? "")
  return endpointsIn(document)
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map(({ operationId, tags: [tag = ""], summary = operationId, description = "", method, path = "webhook" }) => ({
      title: summary,
      context: `${method} ${path}`,
      path: `${groupPath(tag)}#${operationId}`,
      text: description
    }))
}
