import type { Schema } from "effect"
import type { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"

/** The JSON type of a body. For NDJSON, it is the type of one line. */
type Json<Body extends Schema.Constraint> =
  Body extends HttpApiSchema.StreamNdjson<infer Line extends Schema.Top> ? Line["Encoded"] : Body["Encoded"]

/** An example of a request body. It works once its IDs are replaced with real ones. */
type Request<Payload> = [Payload] extends [never]
  ? { readonly request?: never }
  : { readonly request: Payload extends Schema.Top ? Json<Payload> : never }

/** An example of a successful response body. */
type Answer<Body> = [Body] extends [never] ? { readonly response?: never } : { readonly response: Body }

/** The text about an endpoint in the API reference, with an example of each body. */
type EndpointDocs<Endpoint extends HttpApiEndpoint.Constraint> = {
  readonly summary: string
  readonly description?: string
  /** Replaces the generated sample request if that would be misleading. */
  readonly sample?: { readonly lang: "Shell"; readonly label: string; readonly source: string }
} & Request<HttpApiEndpoint.Payload<Endpoint>> &
  Answer<Exclude<Json<HttpApiEndpoint.Success<Endpoint>>, void>>

type EndpointsDocs<Group> = {
  readonly [Endpoint in HttpApiGroup.Endpoints<Group> as HttpApiEndpoint.Identifier<Endpoint>]: EndpointDocs<Endpoint>
}

/**
 * The description of a path or query parameter. `schema` replaces the schema of a query parameter that is only declared as
 * text.
 */
export interface ParameterDocs {
  readonly description: string
  readonly schema?: object
}

type NamesIn<Part> = Part extends Schema.Top ? keyof Part["Type"] : never

type Parameters<Endpoint> = NamesIn<HttpApiEndpoint.Params<Endpoint>> | NamesIn<HttpApiEndpoint.Query<Endpoint>>

/** The text about a group of endpoints in the API reference. */
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
        readonly response?: unknown
      }
    >
  >
  /** The parameters whose descriptions differ from the ones in `docs/Parameters.ts`. */
  readonly parameters: Readonly<Record<string, ParameterDocs | undefined>>
}

/**
 * Documents a group. It is a compile error if an endpoint has no docs, if docs have no endpoint, or if an example does not
 * match its schema.
 */
export const documentGroup = <Group extends HttpApiGroup.Constraint, const Docs extends EndpointsDocs<Group>>(
  group: Group,
  about: string,
  endpoints: Docs & { readonly [Unknown in Exclude<keyof Docs, keyof EndpointsDocs<Group>>]: never },
  parameters: { readonly [Name in Parameters<HttpApiGroup.Endpoints<Group>>]?: ParameterDocs } = {}
): GroupDocs<Group["identifier"]> => ({ group: group.identifier, about, endpoints, parameters })

/** A page of a list that contains one item. */
export const page = <const Item>(item: Item) => ({ collection: [item], more_results: false }) as const

/** The `max_results` parameter of a list with the given maximum. */
export const maxResults = (maximum: number): ParameterDocs => ({
  description: `The maximum number of items to return, 1 to ${maximum.toLocaleString("en")}. Default: 100.`,
  schema: { type: "integer", minimum: 1, maximum, default: 100 }
})

/** The `sort` parameter of a list that sorts by the given field by default. */
export const sortedBy = (field: string, more = ""): ParameterDocs => ({
  description: `The field to sort by${field === "id" ? "" : "; names, emails and usernames regardless of case"}. ${more}Default: \`${field}\`.`,
  schema: { default: field }
})
