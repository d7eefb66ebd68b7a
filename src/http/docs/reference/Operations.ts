import { type Html, html } from "#platform/Html"
import { codeBlock } from "../CodeBlock.ts"
import { blocks, inline } from "../Markdown.ts"
import { type Endpoint, nameOfRef, type OpenApi, type Parameter, type Response } from "./OpenApi.ts"
import { type MemberOptions, membersOf, schemaMarkup, typeLink } from "./Schemas.ts"

/** What the sections of a page share. */
export interface SectionContext {
  readonly document: OpenApi
  readonly publicUrl: string
  /** The schemas with a section of their own on the page. */
  readonly linked: ReadonlySet<string>
}

const JSON_TYPE = "application/json"

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A request of an endpoint as a command, in the style of the guides. */
const sampleOf = (endpoint: Endpoint, parameters: ReadonlyArray<Parameter>, publicUrl: string): string | undefined => {
  const { method, path, requestBody } = endpoint
  const [own] = endpoint["x-codeSamples"] ?? []
  if (own !== undefined || path === undefined) return own?.source
  const needed = parameters.filter((parameter) => parameter.in === "query" && parameter.required === true)
  const query = needed.map(({ name }) => `${name}={${name}}`).join("&")
  const base = endpoint.servers?.[0]?.url ?? publicUrl
  const address = `${base}${path}${query === "" ? "" : `?${query}`}`
  const body = requestBody?.content[JSON_TYPE]?.example
  const verb = method === "GET" || (method === "POST" && body !== undefined) ? "" : `-X ${method} `
  const isPublic = endpoint.servers !== undefined
  return [
    `curl ${verb}${/[?&{]/.test(address) ? `"${address}"` : address}`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...(body === undefined ? [] : [`--json ${quoted(JSON.stringify(body, null, 2))}`])
  ].join(" \\\n  ")
}

/** The parameters of an endpoint. Shared parameters are described once, on the first page. */
const parametersOf = ({ parameters = [] }: Endpoint) => ({
  own: parameters.filter((one): one is Parameter => !("$ref" in one)),
  shared: parameters.flatMap((one) => ("$ref" in one ? [nameOfRef(one.$ref)] : []))
})

const places: Readonly<Record<string, string>> = { path: "In the path", query: "In the query", header: "Headers" }

const parameterList = (parameters: ReadonlyArray<Parameter>, options: MemberOptions): Html =>
  html`${Object.entries(places).map(([place, title]) => {
    const found = parameters.filter((one) => one.in === place)
    if (found.length === 0) return html``
    const properties = Object.fromEntries(
      found.map(({ name, description, schema }) => [
        name,
        { ...schema, description: description ?? schema?.description }
      ])
    )
    const required = found.filter((one) => one.required === true).map(({ name }) => name)
    return html`<h3>${title}</h3>${membersOf({ properties, required }, options)}`
  })}`

/** Shows an example of a body. Text is shown as it is, everything else as JSON. */
const exampleOf = ({ content = {} }: Response): Html | undefined => {
  const [media] = Object.values(content)
  const value = media?.example ?? Object.values(media?.examples ?? {})[0]?.value
  if (value === undefined) return undefined
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2)
  return codeBlock({ language: typeof value === "string" ? "text" : "json", code: text, caption: "Response" })
}

/** The line about a successful response: its status, its description and the type of its body. */
const responseLine = (status: string, { description, content = {} }: Response, linked: ReadonlySet<string>): Html => {
  const [media] = Object.values(content)
  const type = media?.schema === undefined ? undefined : typeLink(media.schema, linked)
  return html`<p><code>${status}</code> ${description !== undefined && inline(description)}${type !== undefined && html` <span class="type">${type}</span>`}</p>`
}

/** The section about an endpoint. */
export const operationSection = (endpoint: Endpoint, { document, publicUrl, linked }: SectionContext): Html => {
  const { operationId, method, path, summary, description, requestBody, responses = {} } = endpoint
  const { own, shared } = parametersOf(endpoint)
  const options = { schemas: document.components.schemas, linked, isInput: true }
  const body = Object.values(requestBody?.content ?? {})[0]?.schema
  const all = Object.entries(responses)
  const successes = all.filter((one): one is [string, Response] => !("$ref" in one[1]))
  const failures = all.filter(([, response]) => "$ref" in response)
  const sample = sampleOf(endpoint, own, publicUrl)
  const headers = shared.flatMap((name) => document.components.parameters[name]?.name ?? [])
  return html`<section class="operation" aria-labelledby="${operationId}">
<h2 id="${operationId}"><a href="#${operationId}">${summary}</a></h2>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path ?? "the URL of your webhook"}</code></p>
<div class="halves"><div>
${description !== undefined && blocks(description)}
${parameterList(own, options)}
${body !== undefined && html`<h3>Body</h3>${schemaMarkup(body, options)}`}
<h3>Response</h3>
${successes.map(([status, response]) => responseLine(status, response, linked))}
${failures.length > 0 && html`<p class="shared"><a href="/docs#errors">Errors</a>: ${failures.map(([status]) => status).join(", ")}</p>`}
${headers.length > 0 && html`<p class="shared"><a href="/docs#parameters">Shared parameters</a>: ${headers.map((name, at) => html`${at > 0 && ", "}<code>${name}</code>`)}</p>`}
</div><div class="samples">
${sample !== undefined && codeBlock({ language: "sh", code: sample, caption: "Request" })}
${successes.map(([, response]) => exampleOf(response) ?? html``)}
</div></div>
</section>
`
}
