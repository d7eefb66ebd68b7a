import { Context, Option } from "effect"
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { RequiredLevel, Streamed } from "../Access.ts"
import { isContractGroup } from "../ContractGroups.ts"
import { KEYWORDS } from "../Description.ts"
import type { GroupDocs } from "../GroupDocs.ts"
import { MailboxAccess } from "../mailbox/Access.ts"
import type { Deployment } from "./Deployment.ts"
import { groups } from "./Groups.ts"
import { headerParameters, headers } from "./Headers.ts"
import { appServers, hostedPaths, hostedSchemas, hostedTag } from "./HostedLogin.ts"
import { jsonSchema } from "./JsonSchema.ts"
import { overview } from "./Overview.ts"
import { parameters, realmIdParameter } from "./Parameters.ts"
import { publicKeyPaths, publicKeySchemas, publicKeyTag } from "./PublicKeys.ts"
import { errorResponses, externalRefusal, responsesOf } from "./Responses.ts"
import { sharedSchemas } from "./Schemas.ts"
import { webhooks, webhookTag } from "./Webhooks.ts"

const docsByGroup: Readonly<Record<string, GroupDocs | undefined>> = groups

/** An operation's requirements that are not part of its schemas. */
interface Requirements {
  readonly level: string
  /** Whether a repeated `Idempotency-Key` returns the first response. */
  readonly isIdempotent: boolean
  /** Whether callers on the service's own machine can omit the API key. */
  readonly isOpenLocally: boolean
}

const nothingKnown: Requirements = { level: "admin_all_realms", isIdempotent: false, isOpenLocally: false }

/** Returns the requirements of each operation, by the operation's ID. */
const requirements = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) => {
  const found = new Map<string, Requirements>()
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint: { annotations, identifier, method }, group, middleware }) => {
      const level = Option.getOrElse(Context.getOption(annotations, RequiredLevel), () => "admin_all_realms")
      const isIdempotent = method === "POST" && Option.isNone(Context.getOption(annotations, Streamed))
      const isOpenLocally = [...middleware].some(({ key }) => key === MailboxAccess.key)
      found.set(`${group.identifier}.${identifier}`, { level, isIdempotent, isOpenLocally })
    }
  })
  return found
}

const describeParameter = (group: GroupDocs | undefined) => (parameter: OpenApi.OpenAPISpecParameter) => {
  const known = group?.parameters[parameter.name] ?? parameters[parameter.name]
  return known === undefined
    ? parameter
    : {
        ...parameter,
        description: known.description,
        schema: { ...Object(jsonSchema(parameter.schema)), ...known.schema }
      }
}

const parameterRef = (name: string) => ({ $ref: `#/components/parameters/${name}` })

const withSchemas = (content: OpenApi.OpenApiSpecContent) =>
  Object.fromEntries(Object.entries(content).map(([type, media]) => [type, { schema: jsonSchema(media.schema) }]))

/** The headers of a successful response, such as the link to a list's next page or the names of ignored members. */
const successHeaders = (
  ignores: boolean,
  isIdempotent: boolean,
  isPaged: boolean,
  { headers: { ignored } }: Deployment
) => ({
  ...(isPaged ? { Link: { $ref: "#/components/headers/Link" } } : {}),
  ...(isIdempotent ? { "Idempotency-Replayed": { $ref: "#/components/headers/Replayed" } } : {}),
  ...(ignores ? { [ignored]: { $ref: "#/components/headers/Ignored" } } : {})
})

/** The two ways to send an API key. */
const keys = [{ bearer: [] }, { key: [] }]

const keyOf = (level: string, isOpenLocally: boolean): string =>
  isOpenLocally
    ? `Requires an API key of level \`${level}\`, except from the service's own machine.`
    : `Requires an API key of level \`${level}\`.`

const operationOf = (
  operation: OpenApi.OpenAPISpecOperation,
  { level, isIdempotent, isOpenLocally }: Requirements,
  deployment: Deployment
) => {
  const [version = "", resource = "", name = ""] = operation.operationId.split(".")
  const group = docsByGroup[`${version}.${resource}`]
  const docs = group?.endpoints[name]
  const body = operation.requestBody
  const ignores =
    version === "v1" ||
    operation.operationId.endsWith(".update") ||
    (isContractGroup(`${version}.${resource}`) && body !== undefined)
  const namesRealm = operation.parameters.some(({ name }) => name === "realm_id")
  const isPaged = operation.parameters.some(({ name }) => name === "after")
  const shared = [
    ...(namesRealm ? [] : ["RealmId"]),
    "Realm",
    ...(isIdempotent ? ["IdempotencyKey"] : []),
    ...(ignores ? ["Prefer"] : []),
    "AcceptLanguage",
    "RequestId"
  ]
  const { security: _, ...others } = operation
  return {
    ...others,
    summary: docs?.summary ?? operation.operationId,
    description: [docs?.description, keyOf(level, isOpenLocally)].filter(Boolean).join("\n\n"),
    ...(docs?.sample === undefined ? {} : { "x-codeSamples": [docs.sample] }),
    ...(isOpenLocally ? { security: [{}, ...keys] } : {}),
    parameters: [...operation.parameters.map(describeParameter(group)), ...shared.map(parameterRef)],
    responses: responsesOf(
      docs?.response,
      operation.responses,
      successHeaders(ignores, isIdempotent, isPaged, deployment)
    ),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            ...body,
            content: Object.fromEntries(
              Object.entries(withSchemas(body.content)).map(([type, media]) => [
                type,
                { ...media, example: docs?.request }
              ])
            )
          }
        })
  }
}

/** Returns the tag of a group, displayed as "v2 users". */
const tagOf = (tag: OpenApi.OpenAPISpecTag) => {
  const [version = "", resource = ""] = tag.name.split(".")
  return {
    ...tag,
    description: docsByGroup[tag.name]?.about ?? tag.name,
    "x-displayName": `${version} ${resource.replaceAll("_", " ")}`
  }
}

/** Groups the tags in the reference by purpose, with the current version first and the older one last. */
const tagGroups = (tags: ReadonlyArray<{ readonly name: string }>) => {
  const named = (isIn: (name: string) => boolean) => tags.flatMap(({ name }) => (isIn(name) ? [name] : []))
  return [
    { name: "API, version 2", tags: named((name) => name.startsWith("v2.") && !name.startsWith("v2.test")) },
    { name: "In browsers and apps", tags: [hostedTag.name, publicKeyTag.name, webhookTag.name] },
    { name: "For tests", tags: named((name) => name.startsWith("v2.test")) },
    { name: "API, version 1", tags: named((name) => name.startsWith("v1.")) }
  ]
}

/** Returns the schemas of the endpoints by name, with a single schema for all errors. */
const schemasOf = (schemas: Readonly<Record<string, unknown>>) => {
  const named = Object.entries(schemas).filter(([name]) => !name.endsWith("Encoded"))
  return {
    ...Object.fromEntries(named.map(([name, schema]) => [name, jsonSchema(schema)])),
    Error: jsonSchema(schemas["InvalidEncoded"]),
    ExternalRefusal: jsonSchema(schemas["ExternalRefusalEncoded"])
  }
}

/** Builds the OpenAPI 3.1 document from the schemas and docs of the endpoints, hosted login, and webhooks. */
export const openApiDocument = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  deployment: Deployment
) => {
  const spec = OpenApi.fromApi(api, { includeAnnotationKey: (key) => key === KEYWORDS })
  const required = requirements(api)
  const paths = Object.fromEntries(
    Object.entries(spec.paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [
          method,
          "operationId" in operation
            ? operationOf(operation, required.get(operation.operationId) ?? nothingKnown, deployment)
            : operation
        ])
      )
    ])
  )
  const tags = [...spec.tags.map(tagOf), hostedTag, publicKeyTag, webhookTag]
  const grouped = tagGroups(tags)
  const places = grouped.flatMap(({ tags }) => tags)
  return {
    ...spec,
    info: { title: "Sallyport", version: deployment.version, description: overview(deployment) },
    servers: [{ url: deployment.path || "/" }],
    security: keys,
    tags: tags.toSorted((one, other) => places.indexOf(one.name) - places.indexOf(other.name)),
    "x-tagGroups": grouped,
    paths: { ...paths, ...hostedPaths(deployment.loginUrl), ...publicKeyPaths(appServers(deployment.loginUrl)) },
    webhooks,
    components: {
      schemas: { ...schemasOf(spec.components.schemas), ...sharedSchemas, ...hostedSchemas, ...publicKeySchemas },
      responses: { ...errorResponses, ExternalRefusal: externalRefusal },
      parameters: { ...headerParameters(deployment), RealmId: realmIdParameter },
      headers,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key." },
        key: {
          type: "apiKey",
          in: "header",
          name: deployment.headers.apiKey,
          description: "The API key, in a separate header."
        }
      }
    }
  }
}
