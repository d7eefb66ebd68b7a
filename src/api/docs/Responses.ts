import type { OpenApi } from "effect/http-api"
import { type ErrorText, errors } from "./Errors.ts"
import { everyResponse } from "./Headers.ts"
import { jsonSchema } from "./JsonSchema.ts"

const error = { $ref: "#/components/schemas/Error" }

const exampleOf = (status: number, { code, message }: ErrorText) => ({
  errors: [message],
  error_details: [{ field: status === 422 ? "email" : null, code, message }],
  request_id: "req_01m7y8xyppa4mjba95k6p76tdq"
})

/** The error responses that every operation can return, keyed by their names in the document. */
export const errorResponses = Object.fromEntries(
  Object.entries(errors).map(([status, text]) => [
    text.name,
    {
      description: text.description,
      headers: { ...everyResponse, ...text.headers },
      content: {
        "application/json": { schema: error, examples: { default: { value: exampleOf(Number(status), text) } } }
      }
    }
  ])
)

/** The response to a failed login at a provider, which has more members than other errors. */
export const externalRefusal = {
  description:
    "The request is not valid, or the login at the provider failed. The response to a failed login also has `provider_id` and, if they apply, `retry_url` and `user_email`.",
  headers: everyResponse,
  content: {
    "application/json": {
      schema: { anyOf: [{ $ref: "#/components/schemas/ExternalRefusal" }, error] },
      examples: {
        default: {
          value: {
            errors: ["Error validating code."],
            error_details: [{ field: null, code: "code_refused", message: "Error validating code." }],
            request_id: "req_01m7y8xyppa4mjba95k6p76tdq",
            provider_id: "ap_01m7y8xym1x2n8r5w0k7d3f6bj",
            retry_url: "https://sso.example.com/authorize?response_type=code&client_id=acme"
          }
        }
      }
    }
  }
}

const successTexts: Readonly<Record<string, string>> = {
  200: "Done. The response shows the result.",
  201: "Created.",
  202: "Accepted. The change takes effect immediately and is completed in the background.",
  204: "Done. The response has no body."
}

/** The specific headers of a successful response. They report whether it is a repeat, and which members were ignored. */
export type SuccessHeaders = Readonly<Record<string, { readonly $ref: string }>>

const withExample = (
  response: OpenApi.OpenApiSpecResponse,
  status: string,
  example: unknown,
  headers: SuccessHeaders
) => ({
  description: successTexts[status] ?? response.description,
  headers: { ...everyResponse, ...headers },
  ...(response.content === undefined
    ? {}
    : {
        content: Object.fromEntries(
          Object.entries(response.content).map(([type, media]) => [
            type,
            { schema: jsonSchema(media.schema), examples: { default: { value: example } } }
          ])
        )
      })
})

/** Returns whether a response is for a failed login at a provider. These responses have more members than other errors. */
const isRefusal = (response: OpenApi.OpenApiSpecResponse) => JSON.stringify(response).includes("ExternalRefusal")

/** The responses of an operation. `answer` is the example of a successful response. */
export const responsesOf = (answer: unknown, responses: OpenApi.OpenAPISpecResponses, headers: SuccessHeaders) => {
  const all = { ...responses, 500: responses[422] ?? { description: "" } }
  return Object.fromEntries(
    Object.entries(all).map(([status, response]) => {
      const text = errors[Number(status)]
      if (text === undefined) return [status, withExample(response, status, answer, headers)]
      const name = status === "422" && isRefusal(response) ? "ExternalRefusal" : text.name
      return [status, { $ref: `#/components/responses/${name}` }]
    })
  )
}
