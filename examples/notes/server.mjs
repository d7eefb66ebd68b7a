import { createHash } from "node:crypto"
import { createServer } from "node:http"
import { hostedLogin } from "sallyport/client/express"
import { errorPage, notebook, style, welcome } from "./pages.mjs"
import { prepare } from "./service.mjs"

const { SALLYPORT_URL = "http://localhost:3000", SALLYPORT_ROOT_KEY: key, NOTES_PORT = "4000" } = process.env
if (key === undefined) throw new Error("Set SALLYPORT_ROOT_KEY to a key of level admin_all_realms.")

const service = SALLYPORT_URL.replace(/\/+$/, "")
const here = `http://localhost:${NOTES_PORT}`
const { realmId, appId, loginPages } = await prepare({ service, key, here })

/** Serves /login, /signup, /callback and /logout, and sets `request.session`. Also works without Express, as here. */
const login = hostedLogin({ url: service, key, realmId, app: appId, cookieName: "notes" })

/** The notes of each user, by user ID. @type {Map<string, Array<string>>} */
const notes = new Map()

/** @typedef {import("sallyport/client/express").Session} Session */
/** @typedef {{ session: Session | null, form: URLSearchParams }} Visit */
/** @typedef {{ status?: number, page?: string, to?: string }} Answer */

/** @type {Record<string, (visit: Visit) => Answer>} */
const routes = {
  "GET /": ({ session }) => ({
    page: session === null ? welcome() : notebook(session.user, notes.get(session.user_id) ?? [])
  }),

  "POST /notes": ({ session, form }) => {
    if (session === null) return { status: 403, page: errorPage("You're no longer logged in.") }
    const note = (form.get("note") ?? "").trim().slice(0, 500)
    if (note !== "") notes.set(session.user_id, [...(notes.get(session.user_id) ?? []), note])
    return { to: "/" }
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

/** @type {(request: import("node:http").IncomingMessage, session: Session | null) => Promise<Answer>} */
const respond = async (request, session) => {
  const [path = ""] = (request.url ?? "/").split("?", 1)
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
  return route({ session, form: new URLSearchParams(body) })
}

createServer((request, response) => {
  /** @type {import("sallyport/client/express").ExpressRequest} */
  const visitor = request
  /** @type {Answer} */
  const failed = { status: 500, page: errorPage("Something went wrong.") }
  login(visitor, response, async (error) => {
    const answer = error === undefined ? respond(request, visitor.session ?? null) : Promise.reject(error)
    const { status, page, to } = await answer.catch(() => failed)
    response.writeHead(status ?? (to === undefined ? 200 : 303), {
      ...securityHeaders,
      ...(to === undefined ? { "content-type": "text/html; charset=utf-8" } : { location: to })
    })
    response.end(page)
  })
}).listen(Number(NOTES_PORT), "127.0.0.1", () => {
  console.log(
    `\n  Notes is ready at ${here}\n  Login pages: ${loginPages}/login\n  Mailbox, without a mail server: ${service}/mailbox\n`
  )
})
