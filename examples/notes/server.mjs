import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import { createRemoteJWKSet, jwtVerify } from "jose"
import { errorPage, notebook, style, welcome } from "./pages.mjs"
import { prepare } from "./service.mjs"

const { SALLYPORT_URL = "http://localhost:3000", SALLYPORT_ROOT_KEY: key, NOTES_PORT = "4000" } = process.env
if (key === undefined) throw new Error("Set SALLYPORT_ROOT_KEY to a key of level admin_all_realms.")

const service = SALLYPORT_URL.replace(/\/+$/, "")
const here = `http://localhost:${NOTES_PORT}`
const { realmId, issuer, loginPages } = await prepare({ service, key, here })

/** The realm's public keys. They are cached, so checking a token doesn't call the service. */
const keys = createRemoteJWKSet(new URL(`${service}/realms/${realmId}/jwks`))

/** @type {(token: string) => Promise<import("jose").JWTPayload>} */
const verified = async (token) => {
  const requiredClaims = ["exp", "sub"]
  const { payload } = await jwtVerify(token, keys, { issuer, algorithms: ["RS256"], requiredClaims })
  if (payload["rid"] !== realmId) throw new Error("The token belongs to another realm.")
  return payload
}

/** The claims of logged-in users, by session cookie. @type {Map<string, import("jose").JWTPayload>} */
const sessions = new Map()

/** The notes of each user, by user ID. @type {Map<string, Array<string>>} */
const notes = new Map()

/** @typedef {{ query: URLSearchParams, cookies: Map<string, string>, form: URLSearchParams }} Visit */
/** @typedef {{ status?: number, page?: string, to?: string, cookies?: ReadonlyArray<string> }} Answer */

// With https, use `__Host-notes` and `Secure`, so that no other host can set the cookie.
const SESSION = "notes"

/** The name of a login's state cookie. Each login has its own, so that logins in two tabs don't interfere. */
const stateCookie = (/** @type {string} */ state) => `notes_state_${state.slice(0, 8)}`

/** @type {(name: string, value: string, path: string, seconds: number) => string} */
const cookie = (name, value, path, seconds) =>
  `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax`

/**
 * Returns the claims of the visitor's session, or undefined if there is none or it has expired.
 *
 * @type {(visit: Visit) => import("jose").JWTPayload | undefined}
 */
const claimsOf = ({ cookies }) => {
  const claims = sessions.get(cookies.get(SESSION) ?? "")
  return claims !== undefined && Number(claims.exp) * 1000 > Date.now() ? claims : undefined
}

/** Redirects to the login pages with a random state, which a cookie stores for half an hour. */
const begin = (/** @type {string} */ path) => {
  const state = randomBytes(32).toString("base64url")
  return { to: `${loginPages}${path}?state=${state}`, cookies: [cookie(stateCookie(state), state, "/callback", 1800)] }
}

/** @type {(one: string, other: string) => boolean} */
const same = (one, other) => {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

/** @type {Record<string, (visit: Visit) => Answer | Promise<Answer>>} */
const routes = {
  "GET /": (visit) => {
    const claims = claimsOf(visit)
    return { page: claims === undefined ? welcome() : notebook(claims, notes.get(String(claims.sub)) ?? []) }
  },

  "POST /login": () => begin("/login"),
  "POST /signup": () => begin("/signup"),

  // The login pages redirect here with the token.
  "GET /callback": async (visit) => {
    const { query, cookies } = visit
    // An attacker could send a user a link with a token of the attacker's account, and later read the notes that the
    // user writes there. The app therefore only accepts a token with the state of a login started in this browser. A
    // link in an email, such as an invitation, has no state. It starts a new login, which returns immediately.
    if (!query.has("state")) return begin("/login")
    const given = query.get("state") ?? ""
    const state = cookies.get(stateCookie(given)) ?? ""
    if (state === "" || !same(state, given)) {
      // A logged-in user pressed Back, which requests the callback of a finished login again.
      if (claimsOf(visit) !== undefined) return { to: "/" }
      return { status: 403, page: errorPage("This login was not started in this browser.") }
    }
    const claims = await verified(query.get("token") ?? "").catch(() => undefined)
    if (claims === undefined) return { status: 403, page: errorPage("You're not logged in. The token is not valid.") }
    const id = randomBytes(32).toString("base64url")
    sessions.delete(cookies.get(SESSION) ?? "")
    sessions.set(id, claims)
    const seconds = Math.floor(Number(claims.exp) - Date.now() / 1000)
    // Redirect, so that the token doesn't stay in the address bar or in the history.
    return { to: "/", cookies: [cookie(SESSION, id, "/", seconds), cookie(stateCookie(state), "", "/callback", 0)] }
  },

  "POST /notes": (visit) => {
    const claims = claimsOf(visit)
    if (claims === undefined) return { status: 403, page: errorPage("You're no longer logged in.") }
    const user = String(claims.sub)
    const note = (visit.form.get("note") ?? "").trim().slice(0, 500)
    if (note !== "") notes.set(user, [...(notes.get(user) ?? []), note])
    return { to: "/" }
  },

  // Ends the app's own session, then redirects to the login pages. They end their session and redirect back.
  "POST /logout": (visit) => {
    sessions.delete(visit.cookies.get(SESSION) ?? "")
    const to = `${loginPages}/logout?redirect_uri=${encodeURIComponent(`${here}/`)}`
    return { to, cookies: [cookie(SESSION, "", "/", 0)] }
  }
}

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  // Browsers also apply this to redirects of a submitted form, so it has to include the login pages.
  `form-action 'self' ${loginPages}`,
  "frame-ancestors 'none'",
  "base-uri 'none'"
]

const securityHeaders = {
  "cache-control": "no-store",
  "content-security-policy": policy.join("; "),
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff"
}

/** @type {(request: import("node:http").IncomingMessage) => Promise<Answer>} */
const respond = async (request) => {
  const [path = "", query] = (request.url ?? "/").split("?", 2)
  const route = routes[`${request.method} ${path}`]
  if (route === undefined) return { status: 404, page: errorPage("Page not found.") }
  // Only accept changes from this app's own pages.
  if (request.method === "POST" && request.headers.origin !== here) {
    return { status: 403, page: errorPage("This request came from another site.") }
  }
  let body = ""
  for await (const chunk of request.setEncoding("utf8")) {
    body += chunk
    if (body.length > 10_000) return { status: 413, page: errorPage("The request is too large.") }
  }
  const pairs = (request.headers.cookie ?? "").split(/; */).map((pair) => pair.split("="))
  const cookies = new Map(pairs.map(([name = "", value = ""]) => [name, value]))
  return route({ query: new URLSearchParams(query), cookies, form: new URLSearchParams(body) })
}

createServer(async (request, response) => {
  /** @type {Answer} */
  const failed = { status: 500, page: errorPage("Something went wrong.") }
  const { status, page, to, cookies = [] } = await respond(request).catch(() => failed)
  response.writeHead(status ?? (to === undefined ? 200 : 303), {
    ...securityHeaders,
    ...(to === undefined ? { "content-type": "text/html; charset=utf-8" } : { location: to }),
    "set-cookie": [...cookies]
  })
  response.end(page)
}).listen(Number(NOTES_PORT), "127.0.0.1", () => {
  console.log(
    `\n  Notes is ready at ${here}\n  Login pages: ${loginPages}/login\n  Mailbox, without a mail server: ${service}/mailbox\n`
  )
})
