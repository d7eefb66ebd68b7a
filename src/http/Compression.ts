import { Effect } from "effect"
import { HttpBody, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { encode, encodingFor } from "#platform/ContentEncoding"
import { CONSOLE_API } from "./ConsolePaths.ts"

type HttpRequest = HttpServerRequest.HttpServerRequest
type HttpResponse = HttpServerResponse.HttpServerResponse

/** The minimum size of a compressed body, in bytes. A smaller body fits into one packet anyway. */
const MIN_SIZE = 1_400

/** The lists of the API that contain no secrets. Events, invitations, hooks, keys and apps contain some. */
const lists = new RegExp(`^(?:${CONSOLE_API})?/v[12]/(?:users|orgs|memberships|sessions)(?:\\?|$)`)

/**
 * Returns whether the compressed length of a response reveals nothing (SEC-287). The length of a response that contains both a
 * secret and text chosen by an attacker would reveal the secret (BREACH). So a page is compressed only if it contains nothing from
 * its request, which then has no query and no body, or nothing secret, because nobody is logged in.
 */
const isSafe = ({ method, url, headers }: HttpRequest, contentType: string): boolean => {
  if (method !== "GET" && method !== "HEAD") return false
  // The mailbox needs no cookie on the service's own machine.
  const isAnonymous =
    headers["cookie"] === undefined && headers["authorization"] === undefined && !url.includes("/mailbox")
  if (contentType.startsWith("text/html")) return isAnonymous || !url.includes("?")
  return contentType.startsWith("application/json") && lists.test(url)
}

/** Compresses a response if its client accepts that and its length reveals nothing. */
export const compressed = (request: HttpRequest, response: HttpResponse): Effect.Effect<HttpResponse> => {
  const { body, headers } = response
  // Files are served in the encoding that they were stored in.
  const isFile = headers["vary"]?.includes("accept-encoding") === true || headers["content-encoding"] !== undefined
  if (body._tag !== "Uint8Array" || body.body.length < MIN_SIZE || isFile) return Effect.succeed(response)
  if (response.status !== 200 || !isSafe(request, body.contentType)) return Effect.succeed(response)
  const vary = [...(headers["vary"] === undefined ? [] : [headers["vary"]]), "accept-encoding"].join(", ")
  const coding = encodingFor(request.headers["accept-encoding"])
  if (coding === "identity") return Effect.succeed(HttpServerResponse.setHeader(response, "vary", vary))
  return Effect.map(
    Effect.promise(() => encode(coding, body.body, "response")),
    (bytes) =>
      response.pipe(
        HttpServerResponse.setBody(HttpBody.uint8Array(bytes, body.contentType)),
        HttpServerResponse.setHeaders({ "content-encoding": coding, vary })
      )
  )
}
