import { Context, Option } from "effect"
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { RequiredLevel } from "../Access.ts"
import type { GroupDocs } from "../GroupDocs.ts"
import { errors } from "./Errors.ts"
import { groups } from "./Groups.ts"
import { hostedPaths, hostedSchemas, hostedTag } from "./HostedLogin.ts"
import { parameters } from "./Parameters.ts"

/** What differs between deployments. */
export interface Deployment {
  readonly version: string
  /** The names of the headers, which each deployment chooses. */
  readonly headers: { readonly apiKey: string; readonly realm: string }
  /** The origin of the hosted login of connected apps, with `{subdomain}` in it. */
  readonly loginUrl: string
}

const description = ({
  headers
}: Deployment) => `A multi-tenant identity service. Every request except those of hosted login needs a management key, sent as a Bearer token or in
\`${headers.apiKey}\`. A key that is not locked to a realm names the realm in \`realm_id\` or in the header \`${headers.realm}\`.
Bodies are JSON or form-encoded. Times are Unix timestamps in seconds.`

const realmHeader = (name: string): OpenApi.OpenAPISpecParameter => ({
  name,
  in: "header",
  required: false,
  description: "The realm of the request, for a key that is not locked to one.",
  schema: { type: "string" }
})

const idempotencyHeader: OpenApi.OpenAPISpecParameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Repeating a request with the same key and body within 24 hours returns the first response. While the first request is still being processed, a repeat returns 409.",
  schema: { type: "string", maxLength: 255 }
}

const docsByGroup: Readonly<Record<string, GroupDocs | undefined>> = groups

/** The level that each operation requires, by its id. */
const levels = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) => {
  const found = new Map<string, string>()
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group }) => {
      const level = Option.getOrElse(Context.getOption(endpoint.annotations, RequiredLevel), () => "admin_all_realms")
      found.set(`${group.identifier}.${endpoint.identifier}`, level)
    }
  })
  return found
}

const describeParameter =
  (group: GroupDocs | undefined) =>
  (parameter: OpenApi.OpenAPISpecParameter): OpenApi.OpenAPISpecParameter => {
    const known = group?.parameters[parameter.name] ?? parameters[parameter.name]
    return known === undefined
      ? parameter
      : { ...parameter, description: known.description, schema: known.schema ?? parameter.schema }
  }

const errorExample = (status: number) => {
  const { code, message } = errors[status] ?? { code: "invalid", message: "" }
  return {
    errors: [message],
    error_details: [{ field: null, code, message }],
    request_id: "req_01m7y8xyppa4mjba95k6p76tdq"
  }
}

const withExample = (response: OpenApi.OpenApiSpecResponse, example: unknown, text: string) => ({
  description: text,
  ...(response.content === undefined
    ? {}
    : {
        content: Object.fromEntries(
          Object.entries(response.content).map(([type, media]) => [
            type,
            { ...media, examples: { default: { value: example } } }
          ])
        )
      })
})

const responsesOf = (answer: unknown, responses: OpenApi.OpenAPISpecResponses) => {
  const all = { ...responses, 500: responses[422] ?? { description: "" } }
  return Object.fromEntries(
    Object.entries(all).map(([status, response]) => {
      const error = errors[Number(status)]
      return error === undefined
        ? [status, withExample(response, answer, response.description)]
        : [status, withExample(response, errorExample(Number(status)), error.description)]
    })
  )
}

const operationOf = (
  method: string,
  operation: OpenApi.OpenAPISpecOperation,
  level: string,
  deployment: Deployment
) => {
  const [version = "", resource = "", name = ""] = operation.operationId.split(".")
  const group = docsByGroup[`${version}.${resource}`]
  const docs = group?.endpoints[name]
  const body = operation.requestBody
  const headers = [realmHeader(deployment.headers.realm), ...(method === "post" ? [idempotencyHeader] : [])]
  return {
    ...operation,
    summary: docs?.summary ?? operation.operationId,
    description: [docs?.description, `Requires a key of level \`${level}\`.`].filter(Boolean).join("\n\n"),
    security: [{ bearer: [] }, { key: [] }],
    parameters: [...operation.parameters.map(describeParameter(group)), ...headers],
    responses: responsesOf(docs?.answer, operation.responses),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            ...body,
            content: Object.fromEntries(
              Object.entries(body.content).map(([type, media]) => [type, { ...media, example: docs?.request }])
            )
          }
        })
  }
}

/** The tag of a group, shown as "v2 users". */
const tagOf = (tag: OpenApi.OpenAPISpecTag) => {
  const [version = "", resource = ""] = tag.name.split(".")
  return {
    ...tag,
    description: docsByGroup[tag.name]?.about ?? tag.name,
    "x-displayName": `${version} ${resource.replaceAll("_", " ")}`
  }
}

/** The OpenAPI 3.1 document: the schemas of the endpoints with their docs, and hosted login. */
export const openApiDocument = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  deployment: Deployment
) => {
  const spec = OpenApi.fromApi(api)
  const levelOf = levels(api)
  const paths = Object.fromEntries(
    Object.entries(spec.paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [
          method,
          "operationId" in operation
            ? operationOf(method, operation, levelOf.get(operation.operationId) ?? "admin_all_realms", deployment)
            : operation
        ])
      )
    ])
  )
  return {
    ...spec,
    info: { title: "Sallyport", version: deployment.version, description: description(deployment) },
    servers: [{ url: "/" }],
    paths: { ...paths, ...hostedPaths(deployment.loginUrl) },
    tags: [...spec.tags.map(tagOf), hostedTag],
    security: [],
    components: {
      ...spec.components,
      schemas: { ...spec.components.schemas, ...hostedSchemas },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A management key." },
        key: {
          type: "apiKey",
          in: "header",
          name: deployment.headers.apiKey,
          description: "The same key in its own header."
        }
      }
    }
  }
}
