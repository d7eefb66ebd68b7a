import type { MiddlewareHandler } from "hono"
import type { AccessToken } from "../resource/AccessToken.ts"
import type { ProtectedResource } from "../resource/ProtectedResource.ts"
import { authenticated } from "./FetchAccess.ts"

/** The context variables after `requireAccessToken`: `new Hono<AccessEnv>()`. */
export interface AccessEnv {
  Variables: { accessToken: AccessToken }
}

/**
 * Allows only requests with an access token for the API that has all of these scopes, and sets `accessToken` in the
 * context. Responds to others with 401 or 403 and a challenge, or with 503 if the realm's keys can't be fetched.
 *
 *     app.get("/notes", requireAccessToken(api, "notes:read"), (c) => c.json(c.get("accessToken").sub))
 */
export const requireAccessToken =
  (resource: ProtectedResource, ...scopes: ReadonlyArray<string>): MiddlewareHandler<AccessEnv> =>
  async (context, next) => {
    const found = await authenticated(resource, context.req.raw, scopes)
    if (found instanceof Response) return found
    context.set("accessToken", found)
    await next()
    return undefined
  }
