import type { AccessToken } from "../resource/AccessToken.ts"
import type { ProtectedResource } from "../resource/ProtectedResource.ts"

/** Authenticates a request. Returns its access token, or the response that rejects it. */
export const authenticated = async (
  resource: ProtectedResource,
  { method, url, headers }: Request,
  scopes: ReadonlyArray<string>
): Promise<AccessToken | Response> => {
  try {
    return await resource.authenticate({ method, url, header: (name) => headers.get(name) }, ...scopes)
  } catch (error) {
    const { status, headers: fields, body } = resource.refuse(error)
    return new Response(JSON.stringify(body), { status, headers: { ...fields } })
  }
}

/** The arguments of a handler: the request, its access token, and everything that the framework passes on. */
export type AccessHandler<Context> = (
  request: Request,
  access: AccessToken,
  context: Context
) => Response | Promise<Response>

/**
 * A handler for requests with an access token for the API that has all of these scopes, for any framework that maps a
 * `Request` to a `Response`. Responds to others with 401 or 403 and a challenge, or with 503 if the realm's keys can't be
 * fetched.
 *
 *     export const GET = withAccessToken(api, ["notes:read"], (request, { sub }) => Response.json(notesOf(sub)))
 */
export const withAccessToken =
  <Context = unknown>(resource: ProtectedResource, scopes: ReadonlyArray<string>, handler: AccessHandler<Context>) =>
  async (request: Request, context: Context): Promise<Response> => {
    const found = await authenticated(resource, request, scopes)
    return found instanceof Response ? found : handler(request, found, context)
  }
