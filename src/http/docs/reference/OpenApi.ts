import { Schema } from "effect"

/** A JSON schema, with the keywords that the reference shows. */
export interface SchemaNode {
  readonly $ref?: string | undefined
  readonly type?: string | ReadonlyArray<string> | undefined
  readonly description?: string | undefined
  readonly enum?: ReadonlyArray<unknown> | undefined
  readonly "x-enumDescriptions"?: Readonly<Record<string, string>> | undefined
  readonly properties?: Readonly<Record<string, SchemaNode>> | undefined
  readonly required?: ReadonlyArray<string> | undefined
  readonly items?: SchemaNode | undefined
  readonly anyOf?: ReadonlyArray<SchemaNode> | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly maxItems?: number | undefined
}

const text = Schema.optional(Schema.String)
const number = Schema.optional(Schema.Number)

const SchemaNode: Schema.Codec<SchemaNode> = Schema.Struct({
  $ref: text,
  type: Schema.optional(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  description: text,
  enum: Schema.optional(Schema.Array(Schema.Unknown)),
  "x-enumDescriptions": Schema.optional(Schema.Record(Schema.String, Schema.String)),
  properties: Schema.optional(
    Schema.Record(
      Schema.String,
      Schema.suspend(() => SchemaNode)
    )
  ),
  required: Schema.optional(Schema.Array(Schema.String)),
  items: Schema.optional(Schema.suspend(() => SchemaNode)),
  anyOf: Schema.optional(Schema.Array(Schema.suspend(() => SchemaNode))),
  minimum: number,
  maximum: number,
  minLength: number,
  maxLength: number,
  maxItems: number
})

const Reference = Schema.Struct({ $ref: Schema.String })

const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.String,
  required: Schema.optional(Schema.Boolean),
  description: text,
  schema: Schema.optional(SchemaNode)
})

const Media = Schema.Struct({
  schema: Schema.optional(SchemaNode),
  example: Schema.optional(Schema.Unknown),
  examples: Schema.optional(Schema.Record(Schema.String, Schema.Struct({ value: Schema.optional(Schema.Unknown) })))
})

const Content = Schema.Record(Schema.String, Media)

const Response = Schema.Struct({ description: text, content: Schema.optional(Content) })

const Operation = Schema.Struct({
  operationId: Schema.String,
  tags: Schema.Array(Schema.String),
  summary: text,
  description: text,
  servers: Schema.optional(Schema.Array(Schema.Struct({ url: Schema.String }))),
  parameters: Schema.optional(Schema.Array(Schema.Union([Reference, Parameter]))),
  requestBody: Schema.optional(Schema.Struct({ content: Content })),
  responses: Schema.optional(Schema.Record(Schema.String, Schema.Union([Reference, Response]))),
  "x-codeSamples": Schema.optional(Schema.Array(Schema.Struct({ source: Schema.String })))
})

const Paths = Schema.Record(Schema.String, Schema.Record(Schema.String, Operation))

/** An OpenAPI document, with the members that the reference shows. */
const Document = Schema.Struct({
  info: Schema.Struct({ description: Schema.String }),
  tags: Schema.Array(Schema.Struct({ name: Schema.String, description: text, "x-displayName": text })),
  "x-tagGroups": Schema.Array(Schema.Struct({ name: Schema.String, tags: Schema.Array(Schema.String) })),
  paths: Paths,
  webhooks: Paths,
  components: Schema.Struct({
    schemas: Schema.Record(Schema.String, SchemaNode),
    parameters: Schema.Record(Schema.String, Parameter),
    responses: Schema.Record(Schema.String, Response)
  })
})

export type OpenApi = (typeof Document)["Type"]
export type Parameter = (typeof Parameter)["Type"]
export type Response = (typeof Response)["Type"]
type Operation = (typeof Operation)["Type"]

/** An operation with its method and path. The path of a webhook is undefined. */
export interface Endpoint extends Operation {
  readonly method: string
  readonly path: string | undefined
}

/** Reads the OpenAPI document of this service. */
export const readOpenApi: (document: unknown) => OpenApi = Schema.decodeUnknownSync(Document)

/** All endpoints of a document, in its order. */
export const endpointsIn = ({ paths, webhooks }: OpenApi): ReadonlyArray<Endpoint> => {
  const listed = (all: OpenApi["paths"], isWebhook: boolean) =>
    Object.entries(all).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path: isWebhook ? undefined : path
      }))
    )
  return [...listed(paths, false), ...listed(webhooks, true)]
}

/** The name at the end of a reference. */
export const nameOfRef = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)
