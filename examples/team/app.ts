import { randomBytes } from "node:crypto"
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response
} from "express"
import { type Decode, Invalid, NotFound, type Sallyport } from "sallyport/client"
import { readSession, requirePermission, requireSession, sessionOf } from "sallyport/client/express"
import { home, refusal, team, welcome } from "./pages.ts"
import { isRole, roles } from "./roles.ts"
import type { LoginApp } from "./setup.ts"

/** The dependencies of the app. */
export interface TeamOptions {
  /** The connected app, whose host serves the login pages. */
  readonly app: LoginApp
  /** The SDK's client for the app's realm. Its key needs at least the level `write`. */
  readonly sallyport: Sallyport
  /** Decodes login tokens without calling Sallyport. */
  readonly decode: Decode
  /** The URL of this app. */
  readonly here: string
  /** Returns the current time in Unix milliseconds. Default: `Date.now`. */
  readonly now?: () => number
}

// With https, use `__Host-…` and `secure`, so that no other host can set the cookies.
const TOKEN = "team_token"
const STATE = "team_state"
const cookieOptions = { httpOnly: true, sameSite: "lax" } as const

/** The age in seconds at which a token is refreshed. Changed permissions take effect within this time. */
const TOKEN_AGE = 60

const cookieOf = (request: Request, name: string): string | undefined =>
  request.headers.cookie
    ?.split("; ")
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

const memberOf = (body: unknown, name: string): string => {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined
  return typeof value === "string" ? value.trim() : ""
}

/**
 * Returns an app in which users create teams, invite others and share a list of tasks. Sallyport stores the orgs,
 * members and invitations.
 */
export const teamApp = ({ sallyport, app, decode, here, now = Date.now }: TeamOptions): Express => {
  /** The tasks of each team, by org ID. */
  const tasks = new Map<string, ReadonlyArray<string>>()

  const logInAs = (response: Response, token: string) => response.cookie(TOKEN, token, cookieOptions)

  /** Redirects to the login pages with a random state, which a cookie stores until the browser returns. */
  const begin = (response: Response, page: "login" | "signup") => {
    const state = randomBytes(32).toString("base64url")
    const to = new URL(app.login_url)
    to.pathname = `/${page}`
    to.searchParams.set("state", state)
    response.cookie(STATE, state, { ...cookieOptions, path: "/callback" }).redirect(303, to.href)
  }

  /** Gets a new token for a session, or undefined if the session has ended. */
  const refresh = async (response: Response, sessionId: string): Promise<string | undefined> => {
    try {
      const { token } = await sallyport.sessions.get(sessionId)
      if (token !== null) logInAs(response, token)
      return token ?? undefined
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
      response.clearCookie(TOKEN, cookieOptions)
      return undefined
    }
  }

  /** Refreshes a token that is older than a minute, so that changes to the members of a team take effect. */
  const fresh: RequestHandler = async (request, response, next) => {
    const session = await decode(cookieOf(request, TOKEN) ?? "")
    if (session !== null && now() / 1000 - session.created_at > TOKEN_AGE)
      request.headers.cookie = `${TOKEN}=${(await refresh(response, session.id)) ?? ""}`
    next()
  }

  const options = { decode, cookie: TOKEN, orgParam: "org" }
  const loggedIn = requireSession(options)

  /** Returns the membership in the URL, or undefined if it doesn't belong to the team in the URL. */
  const membershipIn = async (request: Request<{ org: string; membership: string }>) => {
    const membership = await sallyport.memberships.get(request.params.membership)
    return membership.org_id === request.params.org ? membership : undefined
  }

  const failed: ErrorRequestHandler = (error, _request, response, _next) => {
    if (error instanceof Invalid) return void response.status(422).send(refusal(error.errors.join(" ")))
    if (error instanceof NotFound) return void response.status(404).send(refusal("That doesn't exist any more."))
    console.error(error)
    response.status(500).send(refusal("Something went wrong."))
  }

  return (
    express()
      .disable("x-powered-by")
      .use(express.urlencoded({ extended: false, limit: "10kb" }))
      .use((_request, response, next) => {
        response.set({
          "cache-control": "no-store",
          "referrer-policy": "same-origin",
          "x-content-type-options": "nosniff"
        })
        next()
      })
      .use(fresh)

      .get("/", readSession(options), (request, response) => {
        response.send(request.session == null ? welcome() : home(request.session))
      })
      .post("/login", (_request, response) => begin(response, "login"))
      .post("/signup", (_request, response) => begin(response, "signup"))

      // The login pages redirect here with the token. The app only accepts it with the state of a login started in
      // this browser. Otherwise, an attacker could send a user a link with a token of the attacker's account. Users
      // who accept an invitation arrive without a state.
      .get("/callback", async (request, response) => {
        const { state, token } = request.query
        if (state === undefined) return begin(response, "login")
        if (state !== cookieOf(request, STATE))
          return void response.status(403).send(refusal("This login was not started in this browser."))
        const login = await decode(String(token))
        if (login === null)
          return void response.status(403).send(refusal("You're not logged in. The token is not valid."))
        response.clearCookie(STATE, { ...cookieOptions, path: "/callback" })
        logInAs(response, login.token).redirect(303, "/")
      })
      .post("/logout", (_request, response) => {
        const to = new URL("/logout", app.login_url)
        to.searchParams.set("redirect_uri", `${here}/`)
        response.clearCookie(TOKEN, cookieOptions).redirect(303, to.href)
      })

      .post("/teams", loggedIn, async (request, response) => {
        const { id, user_id } = sessionOf(request)
        const org = await sallyport.orgs.create({
          name: memberOf(request.body, "name"),
          user_ids: [user_id],
          permissions: roles.owner
        })
        await refresh(response, id)
        response.redirect(303, `/teams/${org.id}`)
      })

      .get("/teams/:org", loggedIn, async (request, response) => {
        const { org } = request.params
        const [members, invitations] = await Promise.all([
          Array.fromAsync(sallyport.memberships.list({ org_id: org })),
          Array.fromAsync(sallyport.invitations.list({ org_id: org }))
        ])
        response.send(team(sessionOf(request), { tasks: tasks.get(org) ?? [], members, invitations }))
      })

      .post("/teams/:org/tasks", loggedIn, requirePermission("tasks:write"), (request, response) => {
        const { org } = request.params
        const task = memberOf(request.body, "task").slice(0, 500)
        if (task !== "") tasks.set(org, [...(tasks.get(org) ?? []), task])
        response.redirect(303, `/teams/${org}`)
      })

      .post("/teams/:org/invitations", loggedIn, requirePermission("members:manage"), async (request, response) => {
        const { org } = request.params
        const role = memberOf(request.body, "role")
        const { id } = await sallyport.invitations.create({
          invitation_type: "org",
          email: memberOf(request.body, "email"),
          org_id: org,
          inviting_user_id: sessionOf(request).user_id,
          client_app_id: app.id,
          permissions: isRole(role) ? roles[role] : roles.guest
        })
        // Send the email.
        await sallyport.invitations.invite(id)
        response.redirect(303, `/teams/${org}`)
      })

      .post(
        "/teams/:org/members/:membership",
        loggedIn,
        requirePermission("members:manage"),
        async (request, response) => {
          const membership = await membershipIn(request)
          const role = memberOf(request.body, "role")
          if (membership === undefined) return void response.status(404).send(refusal("That doesn't exist any more."))
          if (role === "none") await sallyport.memberships.delete(membership.id)
          else if (isRole(role)) await sallyport.memberships.update(membership.id, { permissions: roles[role] })
          response.redirect(303, `/teams/${request.params.org}`)
        }
      )

      .use((_request, response) => void response.status(404).send(refusal("Page not found.")))
      .use(failed)
  )
}
