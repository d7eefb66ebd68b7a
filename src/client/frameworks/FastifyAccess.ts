import type { AccessToken } from "../resource/AccessToken.ts"
import type { ProtectedResource } from "../resource/ProtectedResource.ts"
import type { FastifyHook } from "./FastifyHook.ts"

declare module "fastify" {
  interface FastifyRequest {
    /** What the access token of the request says: set by `requireAccessToken`. */
    accessToken?: AccessToken
  }
}

/**
 * Lets only requests pass with an access token for the API that has all of these scopes, and sets `request.accessToken`. Others are
 * answered with 401 or 403 and a challenge, with 503 where the realm's keys can't be fetched.
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
