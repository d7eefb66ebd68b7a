import { type Decode, decoder } from "../../Decode.ts"
import { BadRequest, Forbidden, NotFound, Unauthorized } from "../../Errors.ts"
import type { ConnectedApp } from "../../generated/types/ConnectedApp.ts"
import type { Discovery } from "../../generated/types/Discovery.ts"
import { addressOf, checkKey } from "../../Options.ts"
import { Sallyport } from "../../Sallyport.ts"
import {
  type HostedLoginOptions,
  LoginMisconfigured,
  type LoginPaths,
  originOf,
  pathsOf,
  required,
  requireEncryption
} from "./LoginOptions.ts"
import type { Established, LoginProvider, ProviderSource } from "./LoginProvider.ts"
import { parsedUrl } from "./ParsedUrl.ts"

/** The timeout of a call to the service, in milliseconds. Users are waiting for it. */
const TIMEOUT = 5_000

/** The parameters of the app's login URL that the login pages understand. */
const PASSED_ON = ["max_age", "acr_values", "login_hint"]

/** The largest tokens that fit into the cookies. */
const MAX_TOKEN_BYTES = 10_500

/** The maximum number of sessions that a process remembers as the app's own. */
const MAX_OWN = 10_000

/** Explains why the app can't be read. Other errors, such as outages, are returned as they are. */
const explain = (error: unknown, app: string): unknown => {
  const because = (why: string) => new LoginMisconfigured(why, { cause: error })
  if (error instanceof NotFound)
    return because(
      `The realm of the API key has no connected app ${app}. Check \`app\`, and \`realmId\` if you use it.`
    )
  if (error instanceof Unauthorized) return because("The service doesn't know the API key. Check `key` and `url`.")
  if (error instanceof BadRequest || error instanceof Forbidden)
    return because(`The API key can't read the app ${app}: ${error.errors.join(" ")}`)
  return error
}

/** Where the login returns to, as far as the app is registered for it. */
interface Registered {
  readonly origin: string
  readonly paths: LoginPaths
  readonly pages: string
  /** Named in login URLs unless the app returns there anyway. */
  readonly redirectUri: string | undefined
}

const isSame = (one: string | null, other: string): boolean => one !== null && parsedUrl(one)?.href === other

/** Finds the callback among the URLs of the app. Throws if it isn't registered. */
const registered = (app: ConnectedApp, { publicUrl, paths: given }: HostedLoginOptions): Registered => {
  const { id, login_url: pages, login_handler: handler, signup_handler, redirect_uris } = app
  if (pages === null)
    throw new LoginMisconfigured(
      `${id} is an OAuth client, without login pages. Pass \`issuer\`, \`clientId\` and \`clientSecret\` instead of \`url\`, \`key\` and \`app\`.`
    )
  if (app.state === "inactive") throw new LoginMisconfigured(`The app ${id} is inactive, so its pages are not served.`)
  if (publicUrl === undefined && handler === null)
    throw new LoginMisconfigured(
      `The app ${id} has no login_handler. Set it to this app's callback, or set \`publicUrl\`.`
    )
  const origin = publicUrl === undefined ? originOf(handler ?? "", "login_handler") : originOf(publicUrl)
  const known = handler !== null && new URL(handler).origin === origin ? new URL(handler).pathname : undefined
  const paths = pathsOf(given, given?.callback ?? known)
  const callback = origin + paths.callback
  const isListed = redirect_uris.some((uri) => isSame(uri, callback))
  if (isListed) return { origin, paths, pages, redirectUri: callback }
  if (!isSame(handler, callback))
    throw new LoginMisconfigured(
      `Logins return to ${callback}, which is neither the login_handler nor one of the redirect_uris of the app ${id}. Add it there, or set \`publicUrl\` and \`paths.callback\`.`
    )
  if (signup_handler !== null && !isSame(signup_handler, callback))
    throw new LoginMisconfigured(
      `New users of the app ${id} return to its signup_handler, ${signup_handler}. Set it to null, or add ${callback} to redirect_uris.`
    )
  return { origin, paths, pages, redirectUri: undefined }
}

/** Creates the decoder of the realm's tokens. */
const decoderOf = (
  { issuer, id_token_signing_alg_values_supported: algorithms }: Discovery,
  realmId: string,
  url: string,
  { jwtKey, now, fetch }: HostedLoginOptions
): Decode => {
  const shared = { realmId, ...(now === undefined ? {} : { now }), ...(fetch === undefined ? {} : { fetch }) }
  if (jwtKey !== undefined) return decoder({ ...shared, jwtKey })
  if (!algorithms.includes("RS256"))
    throw new LoginMisconfigured("The realm signs its tokens with a secret (hs256). Pass its `jwt_key` as `jwtKey`.")
  return decoder({ ...shared, issuer, jwks: new URL(`${url}/realms/${realmId}/jwks`) })
}

/** The sessions that are known to be of an app. Their app never changes. */
const ownSessions = () => {
  const known = new Set<string>()
  return {
    has: (id: string): boolean => known.has(id),
    add: (id: string): void => {
      known.add(id)
      for (const oldest of known) {
        if (known.size <= MAX_OWN) break
        known.delete(oldest)
      }
    }
  }
}

/** Logs users in on the hosted pages of a connected app. Throws if an option is missing or invalid. */
export const hostedProvider = (options: HostedLoginOptions): ProviderSource => {
  const { key, realmId, fetch } = options
  const url = requireEncryption("url", addressOf(required("url", String(options.url ?? ""), "the URL of the service")))
  const appId = required("app", options.app, "the ID of the connected app, such as lpl_…")
  if (typeof key !== "function") checkKey(required("key", key, "an API key of the realm, of level `write`"))
  if (options.publicUrl !== undefined) originOf(options.publicUrl)
  const paths = pathsOf(options.paths)
  const sallyport = new Sallyport({ url, key, realmId, fetch, timeout: TIMEOUT, retries: 1 })

  const load: ProviderSource["load"] = async (report): Promise<LoginProvider> => {
    const app = await sallyport.clientApps.get(appId).catch((error: unknown) => Promise.reject(explain(error, appId)))
    const site = registered(app, options)
    const discovery = await sallyport.publicKeys.discovery(app.realm_id)
    const decode = decoderOf(discovery, app.realm_id, url, options)
    const inRealm = { realmId: app.realm_id }

    const own = ownSessions()
    const established = async (token: string): Promise<Established | undefined> => {
      const session = await decode(token)
      return session === null ? undefined : { session, value: token, expiresAt: session.expires_at }
    }

    /**
     * Fetches a session with a new token. Undefined if it has ended, or if the user logged in on another app's pages. Sessions
     * without an app were started with an API key, whose holder could start them for this app, too.
     */
    const fetched = async (id: string) => {
      const session = await sallyport.sessions.get(id, {}, { ...inRealm, retries: 0 }).catch((error: unknown) => {
        if (error instanceof NotFound) return undefined
        throw error
      })
      if (session === undefined || (session.client_app_id ?? app.id) !== app.id) return undefined
      own.add(id)
      return session
    }

    /** The URL of a hosted page. `login_url` may have a path, such as behind a proxy. */
    const pageUrl = (page: string, query: Readonly<Record<string, string>>): string => {
      const to = new URL(page, site.pages)
      for (const [name, value] of Object.entries(query)) to.searchParams.set(name, value)
      return to.href
    }

    return {
      origin: site.origin,
      paths: site.paths,
      result: "token",
      rotates: false,
      maxTokenBytes: MAX_TOKEN_BYTES,
      begin: async (page, state, query) => {
        const passedOn = [...query].filter(([name]) => PASSED_ON.includes(name))
        const to = site.redirectUri === undefined ? {} : { redirect_uri: site.redirectUri }
        return { url: pageUrl(page, { ...Object.fromEntries(passedOn), ...to, state }) }
      },
      complete: async (query) => {
        const completed = await established(query.get("token") ?? "")
        if (completed === undefined || (await fetched(completed.session.id)) !== undefined) return completed
        report(
          `A login returned with a token of another app than ${app.id}, or of a session that isn't stored. Are the realm's sessions managed (\`session_type\`)?`
        )
        return undefined
      },
      read: async (value) => {
        const session = await decode(value)
        // The realm's other apps get tokens that are signed with the same key.
        return session === null ? null : { session, isUsable: own.has(session.id) }
      },
      ...(options.bearer === true ? { readBearer: decode } : {}),
      refresh: async (value) => {
        const known = await decode(value)
        const session = known === null ? undefined : await fetched(known.id)
        if (session === undefined) return undefined
        if (session.token !== null) return established(session.token)
        throw new LoginMisconfigured("The API key can't read tokens. Use a key of level `write`.")
      },
      end: async (value, afterLogout) => {
        const known = value === undefined ? null : await decode(value)
        if (known !== null)
          await sallyport.sessions.delete(known.id, inRealm).catch((error: unknown) => {
            if (!(error instanceof NotFound)) throw error
          })
        const { login_handler, signup_handler, redirect_uris, logout_uris } = app
        const accepted = [login_handler, signup_handler, ...redirect_uris, ...logout_uris]
        return accepted.some((uri) => isSame(uri, afterLogout))
          ? pageUrl("logout", { redirect_uri: afterLogout })
          : undefined
      }
    }
  }
  return { paths, load }
}
