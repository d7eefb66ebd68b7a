import type { AccessToken } from "../resource/AccessToken.ts"
import type { ProtectedResource } from "../resource/ProtectedResource.ts"
import type { ExpressHandler } from "./ExpressHandler.ts"

declare global {
  namespace Express {
    interface Request {
      /** The content of the request's access token, set by `requireAccessToken`. */
      accessToken?: AccessToken
    }
  }
}

/**
 * Allows only requests with an access token for the API that has all of these scopes, and sets `request.accessToken`.
 * Responds to others with 401 or 403 and a challenge, or with 503 if the realm's keys can't be fetched.
 *
 *     app.get("/notes", requireAccessToken(api, "notes:read"), (request, response) => …)
 */
export const requireAccessToken =
  (resource: ProtectedResource, ...scopes: ReadonlyArray<string>): ExpressHandler =>
  (request, response, next) => {
    const { method = "GET", headers } = request
    // Express routers remove their mount path from `url`.
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
