import type { AccessToken } from "../resource/AccessToken.ts"
import type { ProtectedResource } from "../resource/ProtectedResource.ts"
import type { ExpressHandler } from "./ExpressHandler.ts"

declare global {
  namespace Express {
    interface Request {
      /** What the access token of the request says: set by `requireAccessToken`. */
      accessToken?: AccessToken
    }
  }
}

/**
 * Lets only requests pass with an access token for the API that has all of these scopes, and sets `request.accessToken`. Others are
 * answered with 401 or 403 and a challenge, with 503 where the realm's keys can't be fetched.
 *
 *     app.get("/notes", requireAccessToken(api, "notes:read"), (request, response) => …)
 */
export const requireAccessToken =
  (resource: ProtectedResource, ...scopes: ReadonlyArray<string>): ExpressHandler =>
  (request, response, next) => {
    const { method = "GET", headers } = request
    // Routers of Express take the part of the path away from `url` that they are mounted at.
    const url = String(Reflect.get(request, "originalUrl") ?? Reflect.get(request, "url"))
    resource
      .authenticate({ method, url, header: (name) => headers[name]?.toString() }, ...scopes)
      .then(
        (token) => {
          Reflect.set(request, "accessToken", token)
          return true
        },
        (error: unknown) => {
          const { status, headers: fields, body } = resource.refuse(error)
          response.statusCode = status
          for (const [name, value] of Object.entries(fields)) response.setHeader(name, value)
          response.end(JSON.stringify(body))
          return false
        }
      )
      .then((passes) => (passes ? next() : undefined), next)
  }
