import { socialPath } from "#domain/HostedPaths"
import { type Problem, problem } from "#domain/Rejected"
import { failures, requests, requiredFields, responses } from "../hosted/Docs.ts"
import { fields, type HostedOperation, type HostedOperationName, hostedOperations } from "../hosted/V1.ts"
import { formatMessage } from "../Messages.ts"
import { en } from "../messages/en.ts"
import { everyResponse } from "./Headers.ts"

const TAG = "hosted login"

/** The group of operations that browsers and mobile apps call without an API key. */
export const hostedTag = {
  name: TAG,
  description: `For untrusted clients, on the host of a connected app. Users authenticate with their own credentials, and no API key is needed.
Bodies are JSON or form-encoded. Responses can be read by pages from the origins in the app's handlers, \`redirect_uris\` and
\`domains\`; POST requests from other origins are rejected. Every operation also accepts GET, with a \`callback\` for JSONP if the app
allows it. GET sets no cookies, and requires an origin of the app in \`Referer\`.`,
  "x-displayName": TAG
}

const failed = "HostedLoginFailure"

/** The schema of a failure, keyed by its name in the document. */
export const hostedSchemas = {
  [failed]: {
    type: "object",
    properties: {
      error: { type: "string", description: "All messages in one string." },
      errors: { type: "array", items: { type: "string" }, description: "The problems, as messages for the user." }
    },
    required: ["error", "errors"]
  }
}

const isName = (name: string): name is HostedOperationName => Object.hasOwn(hostedOperations, name)

const names = Object.keys(hostedOperations).filter(isName)

const named = (schema: string) => ({ $ref: `#/components/schemas/${schema}` })

/** The schemas of those response members that are not strings. */
const types: Readonly<Record<string, object>> = {
  valid: { type: "boolean" },
  url: { type: ["string", "null"] },
  options: { anyOf: [named("PasskeyRequestOptions"), named("PasskeyCreationOptions")] },
  retry: named("LoginRetry")
}

const typeOf = (member: string) => types[member] ?? { type: "string" }

const memberSchemas = (members: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(members).map(([member, description]) => [member, { ...typeOf(member), description }])
  )

/** The response to a failed operation. */
const failureOf = (name: HostedOperationName, found: Problem) => {
  const error = formatMessage(en, found)
  return { ...(name === "checkSession" ? { valid: false } : {}), error, errors: [error] }
}

const failure = named(failed)

const schemaOf = (name: HostedOperationName) => {
  const { responseMembers: members }: HostedOperation = hostedOperations[name]
  return responses[name] === undefined
    ? failure
    : { anyOf: [{ type: "object", properties: memberSchemas(members) }, failure] }
}

const retryAfter = {
  ...everyResponse,
  "Retry-After": {
    description: "The seconds to wait. Only present after too many requests.",
    schema: { type: "integer" }
  }
}

/** The responses of an operation. `scripted` is true if the operation can be called by JSONP. */
const responsesOf = (name: HostedOperationName, scripted: boolean) => {
  const answer = responses[name]
  const json = {
    schema: schemaOf(name),
    examples: {
      ...(answer === undefined ? {} : { default: { value: answer } }),
      refused: { value: failureOf(name, failures[name]) }
    }
  }
  const script = {
    schema: { type: "string" },
    examples: { default: { value: `/**/show(${JSON.stringify(answer ?? {})});` } }
  }
  const nothing = failureOf(name, problem(null, "no_such_address"))
  return {
    200: {
      description: `${answer === undefined ? "Done. The response is empty." : "The result."} After a failure, \`error\` and \`errors\` contain the problems.`,
      headers: retryAfter,
      content: { "application/json": json, ...(scripted ? { "application/javascript": script } : {}) }
    },
    404: {
      description: "The host doesn't belong to an active app.",
      headers: everyResponse,
      content: { "application/json": { schema: failure, examples: { default: { value: nothing } } } }
    }
  }
}

/** The servers of hosted login: the hosts of connected apps. */
export const appServers = (loginUrl: string) => [
  {
    url: loginUrl,
    description: "The host of a connected app.",
    variables: { subdomain: { default: "acme", description: "The `subdomain` of the app." } }
  }
]

const server = (loginUrl: string) => ({ security: [], servers: appServers(loginUrl) })

const language = { $ref: "#/components/parameters/AcceptLanguage" }

const callback = {
  name: "callback",
  in: "query",
  required: false,
  description: "The function to call with the result in the returned script (JSONP). Without it, the response is JSON.",
  schema: { type: "string", maxLength: 64 },
  example: "show"
}

const operationOf = (name: HostedOperationName, loginUrl: string) => {
  const { path, summary, description, takes }: HostedOperation = hostedOperations[name]
  const id = path.slice("/v1/".length)
  const example = requests[name]
  const shared = { tags: [TAG], ...server(loginUrl) }
  const post = {
    operationId: `v1.hosted.${id}`,
    ...shared,
    summary,
    description,
    parameters: [language],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: Object.fromEntries(
              takes.map((field) => [field, { type: "string", description: fields[field] }])
            ),
            required: requiredFields[name]
          },
          example
        }
      }
    },
    responses: responsesOf(name, false)
  }
  const get = {
    operationId: `v1.hosted.get_${id}`,
    ...shared,
    summary: `${summary} (GET)`,
    description: `${description}\n\nFor scripts on other sites: neither sets nor reads cookies.`,
    parameters: [
      ...takes.map((field) => ({
        name: field,
        in: "query",
        required: requiredFields[name].includes(field),
        description: fields[field],
        schema: { type: "string" },
        ...(example[field] === undefined ? {} : { example: example[field] })
      })),
      callback,
      language
    ],
    responses: responsesOf(name, true)
  }
  return [path, { post, get }] as const
}

const page = (description: string) => ({
  description: `${description} The response is a page for the user.`,
  content: { "text/html": { schema: { type: "string" } } }
})

const query = (name: string, description: string, example?: string) => ({
  name,
  in: "query",
  required: false,
  description,
  schema: { type: "string" },
  ...(example === undefined ? {} : { example })
})

/** The link that starts a login at an external provider. */
const social = (loginUrl: string) => ({
  operationId: "v1.hosted.start_social_login",
  tags: [TAG],
  ...server(loginUrl),
  summary: "Start a social login",
  description:
    "A link to open in a browser. The provider sends the browser back to the app's host, which redirects it to the app's handler or to `redirect_uri`, with a token. The login must finish within 30 minutes and in the same browser.",
  parameters: [
    {
      name: "provider",
      in: "path",
      required: true,
      description: "The auth provider's ID, or its type unless that is `oauth2`.",
      schema: { type: "string" },
      example: "ap_01m7y8xym1x2n8r5w0k7d3f6bj"
    },
    query(
      "redirect_uri",
      "The URL to redirect the user to afterwards. It must be one of the app's own URLs.",
      "https://app.example.com/account"
    ),
    query("state", fields.state, "n7Q2xVb0c4Rk1pZs"),
    query("invitation", "The token of an invitation to accept with this login."),
    language
  ],
  responses: {
    302: {
      description: "Redirects to the provider.",
      headers: {
        ...everyResponse,
        Location: { description: "The provider's page.", schema: { type: "string", format: "uri" } },
        "Set-Cookie": { description: "Binds the login to this browser.", schema: { type: "string" } }
      }
    },
    404: page("The host doesn't belong to an active app, or its realm has no such active provider."),
    422: page(
      "`redirect_uri` is not one of the app's URLs, or `state` is too long or contains characters that are not allowed."
    ),
    429: page("Too many requests from one address. Try again after `Retry-After` seconds.")
  }
})

/** The paths of hosted login. `loginUrl` is the origin of an app's hosted login, containing `{subdomain}`. */
export const hostedPaths = (loginUrl: string) => ({
  ...Object.fromEntries(names.map((name) => operationOf(name, loginUrl))),
  [socialPath("start", "{provider}")]: { get: social(loginUrl) }
})
