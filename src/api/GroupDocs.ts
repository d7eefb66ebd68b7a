import type { Schema } from "effect"
import type { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"

/** The JSON of a body; of one with a JSON text to a line, that of a line. */
type Json<Body extends Schema.Constraint> =
  Body extends HttpApiSchema.StreamNdjson<infer Line extends Schema.Top> ? Line["Encoded"] : Body["Encoded"]

/** An example of the body that a caller sends. It works when sent with ids of one's own in place of these. */
type Request<Payload> = [Payload] extends [never]
  ? { readonly request?: never }
  : { readonly request: Payload extends Schema.Top ? Json<Payload> : never }

/** An example of the body of a successful answer. */
type Answer<Body> = [Body] extends [never] ? { readonly answer?: never } : { readonly answer: Body }

/** What the API reference says about an endpoint, with an example of each body. */
type EndpointDocs<Endpoint extends HttpApiEndpoint.Constraint> = {
  readonly summary: string
  readonly description?: string
  /** A request as people send it, where a reader of the document can't make it of the example. */
  readonly sample?: { readonly lang: "Shell"; readonly label: string; readonly source: string }
} & Request<HttpApiEndpoint.Payload<Endpoint>> &
  Answer<Exclude<Json<HttpApiEndpoint.Success<Endpoint>>, void>>

type EndpointsDocs<Group> = {
  readonly [Endpoint in HttpApiGroup.Endpoints<Group> as HttpApiEndpoint.Identifier<Endpoint>]: EndpointDocs<Endpoint>
}

/** What a parameter of a path or a query is for. `schema` replaces that of a query parameter which is only declared as text. */
export interface ParameterDocs {
  readonly description: string
  readonly schema?: object
}

type NamesIn<Part> = Part extends Schema.Top ? keyof Part["Type"] : never

type Parameters<Endpoint> = NamesIn<HttpApiEndpoint.Params<Endpoint>> | NamesIn<HttpApiEndpoint.Query<Endpoint>>

/** What the API reference says about a group of endpoints. */
export interface GroupDocs<Identifier extends string = string> {
  readonly group: Identifier
  readonly about: string
  readonly endpoints: Readonly<
    Record<
      string,
      {
        readonly summary: string
        readonly description?: string
        readonly sample?: object
        readonly request?: unknown
        readonly answer?: unknown
      }
    >
  >
  /** The parameters whose meaning differs from that in `docs/Parameters.ts`. */
  readonly parameters: Readonly<Record<string, ParameterDocs | undefined>>
}

/**
 * Documents a group. The compiler refuses an endpoint without docs, docs without an endpoint, and an example that its schema
 * does not allow.
 */
export const describeGroup = <Group extends HttpApiGroup.Constraint, const Docs extends EndpointsDocs<Group>>(
  group: Group,
  about: string,
  endpoints: Docs & { readonly [Unknown in Exclude<keyof Docs, keyof EndpointsDocs<Group>>]: never },
  parameters: { readonly [Name in Parameters<HttpApiGroup.Endpoints<Group>>]?: ParameterDocs } = {}
): GroupDocs<Group["identifier"]> => ({ group: group.identifier, about, endpoints, parameters })

/** A list of one item. */
export const page = <const Item>(item: Item) => ({ collection: [item], more_results: false }) as const

/** The parameter of a list whose pages have at most so many items. */
export const maxResults = (maximum: number): ParameterDocs => ({
  description: `The maximum number of items to return, 1 to ${maximum.toLocaleString("en")}. Default: 100.`,
  schema: { type: "integer", minimum: 1, maximum, default: 100 }
})

/** The parameter of a list that sorts by this field unless it is asked for another. */
export const sortedBy = (field: string, more = ""): ParameterDocs => ({
  description: `The field to sort by${field === "id" ? "" : "; names, e-mails and usernames regardless of case"}. ${more}Default: \`${field}\`.`,
  schema: { default: field }
})
