import { type Decode, type DecoderOptions, decoder } from "../Decode.ts"
import type { Decoded } from "../Decoded.ts"
import { permissionMissing, type Refusal, refusals } from "./Refusal.ts"
import { type Session, sessionFor } from "./Session.ts"

/** Where a request carries its token, and where it names an org. */
export interface RequestOptions {
  /** The cookie with the token, for requests without `Authorization: Bearer`. Default: no cookie is read. */
  readonly cookie?: string
  /**
   * The header with the ID of the org that the request is about. Default: none. Tokens name the user's orgs only where the
   * realm's `jwt_scopes` has `ar.orgs`.
   */
  readonly orgHeader?: string
  /**
   * The parameter of the path with the ID of the org that the request is about: `org` for `/orgs/:org`. Default: none. Tokens
   * name the user's orgs only where the realm's `jwt_scopes` has `ar.orgs`.
   */
  readonly orgParam?: string
}

/** How requests are authenticated: by the options of a decoder, or by a decoder. */
export type SessionOptions = RequestOptions & (DecoderOptions | { readonly decode: Decode })

/** What a decision needs of a request. */
export interface RequestParts {
  readonly method: string
  /** A header by its name, in lower case. */
  readonly header: (name: string) => string | undefined
  /** A parameter of the path. */
  readonly param: (name: string) => string | undefined
}

/** What becomes of a request. */
export type Outcome =
  | { readonly session: Session; readonly refusal?: never }
  | { readonly session?: never; readonly refusal: Refusal }

const BEARER = /^bearer +(\S+)$/i

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

const cookieIn = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/** The token of a request; or why it is not taken. */
/** A parameter of a route's path among those of a framework. */
export const paramIn = (params: unknown, name: string): string | undefined => {
  const value: unknown = typeof params === "object" && params !== null ? Reflect.get(params, name) : undefined
  return typeof value === "string" ? value : undefined
}

const tokenIn = ({ method, header }: RequestParts, cookie: string | undefined): string | Refusal => {
  const [, bearer] = BEARER.exec(header("authorization")?.trim() ?? "") ?? []
  if (bearer !== undefined) return bearer
  const kept = cookie === undefined ? undefined : cookieIn(header("cookie"), cookie)
  if (kept === undefined || kept === "") return refusals.session_missing
  // Browsers send cookies along with the forms of other sites, but say so.
  const isForeign = header("sec-fetch-site") === "cross-site" && !safeMethods.has(method.toUpperCase())
  return isForeign ? refusals.cross_site : kept
}

/** How the org of a session is chosen anew, where a later handler knows more parameters of the path. */
const choices = new WeakMap<object, (request: RequestParts) => Outcome>()

/**
 * Throws if something else has set the property that the session goes to, as `express-session` and `@fastify/session` do: each
 * would take the other's session for its own.
 */
export const checkVacant = (session: unknown): void => {
  if (typeof session !== "object" || session === null || choices.has(session)) return
  throw new Error(
    "request.session is taken by another package. Sessions of Sallyport need none besides: leave the other out."
  )
}

/**
 * Whether a token says nothing of orgs, because the realm leaves them out. Who belongs to none has an empty list where the realm
 * puts them in.
 */
const namesNoOrgs = ({ user }: Decoded): boolean => user.memberships === undefined

/** The session of a decoded token, for the org that a request names. `choose` may name another later. */
const sessionOutcome = (
  decoded: Decoded,
  choose: (request: RequestParts) => string | undefined,
  request: RequestParts
): Outcome => {
  const org = choose(request)
  const session = sessionFor(decoded, org)
  if (session === undefined) return { refusal: namesNoOrgs(decoded) ? refusals.orgs_missing : refusals.org_refused }
  choices.set(session, (later) => (choose(later) === org ? { session } : sessionOutcome(decoded, choose, later)))
  return { session }
}

/** Makes the decision about requests. Its promise never rejects. */
export const authenticator = (options: SessionOptions): ((request: RequestParts) => Promise<Outcome>) => {
  const { cookie, orgHeader, orgParam } = options
  const decode = "decode" in options ? options.decode : decoder(options)
  const orgOf = ({ header, param }: RequestParts): string | undefined => {
    const named = orgParam === undefined ? undefined : param(orgParam)
    const sent = orgHeader === undefined ? undefined : header(orgHeader.toLowerCase())
    return named || sent || undefined
  }
  return async (request) => {
    const token = tokenIn(request, cookie)
    if (typeof token !== "string") return { refusal: token }
    try {
      const decoded = await decode(token)
      return decoded === null ? { refusal: refusals.session_invalid } : sessionOutcome(decoded, orgOf, request)
    } catch {
      return { refusal: refusals.keys_unavailable }
    }
  }
}

/** The same for requests that need no login: one without a valid token has no session, and is not refused for it. */
export const withoutLogin = (outcome: Outcome): Outcome | { readonly session: null; readonly refusal?: never } =>
  outcome.refusal?.status === 401 ? { session: null } : outcome

/** Decides whether a session has all of these permissions in its org. */
export const withPermissions = (session: Session, permissions: ReadonlyArray<string>): Outcome => {
  const missing = permissions.find((permission) => !session.permissions.includes(permission))
  if (missing === undefined) return { session }
  if (namesNoOrgs(session)) return { refusal: refusals.orgs_missing }
  return {
    refusal: session.org === null && session.orgs.length > 1 ? refusals.org_required : permissionMissing(missing)
  }
}

/**
 * Decides the same for the org that the request names by now. Throws if no session was read before, which is a mistake of the
 * app.
 */
export const permit = (
  session: Session | null | undefined,
  request: RequestParts,
  permissions: ReadonlyArray<string>
): Outcome => {
  if (session === undefined)
    throw new Error("requirePermission needs a session: put requireSession or readSession before it.")
  if (session === null) return { refusal: refusals.session_missing }
  const outcome = choices.get(session)?.(request) ?? { session }
  return outcome.refusal === undefined ? withPermissions(outcome.session, permissions) : outcome
}

/** The session that `requireSession` has set. Throws if it stood before no handler of this request. */
export const sessionOf = ({ session }: { readonly session?: Session | null }): Session => {
  if (session == null) throw new Error("The request has no session: put requireSession before this handler.")
  return session
}
