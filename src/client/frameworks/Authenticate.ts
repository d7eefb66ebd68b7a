import { type Decode, type DecoderOptions, decoder } from "../Decode.ts"
import type { Decoded } from "../Decoded.ts"
import { parsedUrl } from "./login/ParsedUrl.ts"
import { permissionMissing, type Refusal, refusals } from "./Refusal.ts"
import { type Session, sessionFor } from "./Session.ts"

/** The places in a request that contain its token and the ID of its org. */
export interface RequestOptions {
  /** The cookie with the token, for requests without `Authorization: Bearer`. Default: none. */
  readonly cookie?: string
  /**
   * The origin at which browsers reach this app, such as `https://app.example.com`. Requests that change something need it
   * if they carry the cookie. Default: the origin of the request's `Host` header.
   */
  readonly origin?: string
  /**
   * The header with the ID of the request's org. Default: none. Tokens list the user's orgs only if the realm's
   * `jwt_scopes` includes `ar.orgs`.
   */
  readonly orgHeader?: string
  /**
   * The path parameter with the ID of the request's org: `org` for `/orgs/:org`. Default: none. Tokens list the user's orgs
   * only if the realm's `jwt_scopes` includes `ar.orgs`.
   */
  readonly orgParam?: string
}

/** Options for authenticating requests: a decoder, or the options of one. */
export type SessionOptions = RequestOptions & (DecoderOptions | { readonly decode: Decode })

/** The parts of a request that the decision depends on. */
export interface RequestParts {
  readonly method: string
  /** A header by its lowercase name. */
  readonly header: (name: string) => string | undefined
  /** A path parameter. */
  readonly param: (name: string) => string | undefined
}

/** The decision about a request. */
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

/** A path parameter among a framework's parameters. */
export const paramIn = (params: unknown, name: string): string | undefined => {
  const value: unknown = typeof params === "object" && params !== null ? Reflect.get(params, name) : undefined
  return typeof value === "string" ? value : undefined
}

/**
 * Whether a page of another origin sent the request, also one of the same site. Browsers report it, or at least name the
 * origin. Without `origin`, the request's host is compared.
 */
export const isForeign = ({ header }: Pick<RequestParts, "header">, origin: string | undefined): boolean => {
  const site = header("sec-fetch-site")
  // `none`: the user started the request, such as by restoring a tab.
  if (site !== undefined) return site !== "same-origin" && site !== "none"
  const sender = header("origin")
  if (sender === undefined) return false
  return origin === undefined ? (parsedUrl(sender)?.host ?? "") !== header("host") : sender !== origin
}

const tokenIn = ({ method, header }: RequestParts, { cookie, origin }: RequestOptions): string | Refusal => {
  const [, bearer] = BEARER.exec(header("authorization")?.trim() ?? "") ?? []
  if (bearer !== undefined) return bearer
  const cookieToken = cookie === undefined ? undefined : cookieIn(header("cookie"), cookie)
  if (cookieToken === undefined || cookieToken === "") return refusals.session_missing
  // Browsers also send cookies with forms on other origins.
  const isRejected = !safeMethods.has(method.toUpperCase()) && isForeign({ header }, origin)
  return isRejected ? refusals.cross_site : cookieToken
}

/** For each session, a function that chooses its org again. A later handler may know more path parameters. */
const choices = new WeakMap<object, (request: RequestParts) => Outcome>()

/**
 * Throws if another library has set the session property, as `express-session` and `@fastify/session` do. Each library
 * would mistake the other's session for its own.
 */
export const requireUnsetSession = (session: unknown): void => {
  if (typeof session !== "object" || session === null || choices.has(session)) return
  throw new Error(
    "request.session is already set by another package. Remove that package; Sallyport's sessions don't need it."
  )
}

/**
 * Whether a token lists no orgs because the realm's tokens don't include them. If they do, a user without orgs has an
 * empty list.
 */
const namesNoOrgs = ({ user }: Decoded): boolean => user.memberships === undefined

/** The session of a decoded token, for the org that a request names. A later handler can name another org with `choose`. */
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

/** Creates the function that decides about requests. Its promise never rejects. */
export const authenticator = (options: SessionOptions): ((request: RequestParts) => Promise<Outcome>) => {
  const { orgHeader, orgParam } = options
  const decode = "decode" in options ? options.decode : decoder(options)
  const orgOf = ({ header, param }: RequestParts): string | undefined => {
    const named = orgParam === undefined ? undefined : param(orgParam)
    const sent = orgHeader === undefined ? undefined : header(orgHeader.toLowerCase())
    return named || sent || undefined
  }
  return async (request) => {
    const token = tokenIn(request, options)
    if (typeof token !== "string") return { refusal: token }
    try {
      const decoded = await decode(token)
      return decoded === null ? { refusal: refusals.session_invalid } : sessionOutcome(decoded, orgOf, request)
    } catch {
      return { refusal: refusals.keys_unavailable }
    }
  }
}

/**
 * The decision for requests that don't require a login. Without a valid token, the session is null instead of a
 * rejection.
 */
export const optionalSession = (outcome: Outcome): Outcome | { readonly session: null; readonly refusal?: never } =>
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
 * Like `withPermissions`, but first selects the org named by the request. Throws if no middleware has read the session,
 * which is a bug in the app.
 */
export const permit = (
  session: Session | null | undefined,
  request: RequestParts,
  permissions: ReadonlyArray<string>
): Outcome => {
  if (session === undefined)
    throw new Error("requirePermission needs a session. Use requireSession or readSession before it.")
  if (session === null) return { refusal: refusals.session_missing }
  const outcome = choices.get(session)?.(request) ?? { session }
  return outcome.refusal === undefined ? withPermissions(outcome.session, permissions) : outcome
}

/** Returns the session set by `requireSession`. Throws if `requireSession` was not used before this handler. */
export const sessionOf = ({ session }: { readonly session?: Session | null }): Session => {
  if (session == null) throw new Error("The request has no session. Use requireSession before this handler.")
  return session
}
