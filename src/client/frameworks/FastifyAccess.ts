import type { AccessToken } from "../resource/AccessToken.ts"
import type { ProtectedResource } from "../resource/ProtectedResource.ts"
import type { FastifyHook } from "./FastifyHook.ts"

declare module "fastify" {
  interface FastifyRequest {
    /** The content of the request's access token, set by `requireAccessToken`. */
    accessToken?: AccessToken
  }
}

/**
 * Allows only requests with an access token for the API that has all of these scopes, and sets `request.accessToken`.
 * Responds to others with 401 or 403 and a challenge, or with 503 if the realm's keys can't be fetched.
 *
 *     app.get("/notes", { onRequest: requireAccessToken(api, "notes:read") }, handler)
 */
export const requireAccessToken =
  (resource: ProtectedResource, ...scopes: ReadonlyArray<string>): FastifyHook =>
  async (request, reply) => {
    const { method, originalUrl: url, headers } = request
    try {
      const header = (name: string) => headers[name]?.toString()
      request.accessToken = await resource.authenticate({ method, url, header }, ...scopes)
      return undefined
    } catch (error) {
      const { status, headers: fields, body } = resource.refuse(error)
      return reply.code(status).headers(fields).send(body)
    }
  }
