import express, { type ErrorRequestHandler, type Express, type Request } from "express"
import { Invalid, NotFound, type Sallyport } from "sallyport/client"
import {
  type HostedLoginOptions,
  hostedLogin,
  refreshSession,
  requirePermission,
  requireSession,
  sessionOf
} from "sallyport/client/express"
import { home, refusal, team, welcome } from "./pages.ts"
import { isRole, roles } from "./roles.ts"

/** The dependencies of the app. */
export interface TeamOptions {
  /** The service, the API key and the connected app whose pages users log in on. */
  readonly login: HostedLoginOptions
  /** The SDK's client for the app's realm. Its key needs at least the level `write`. */
  readonly sallyport: Sallyport
}

const memberOf = (body: unknown, name: string): string => {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined
  return typeof value === "string" ? value.trim() : ""
}

/**
 * Returns an app in which users create teams, invite others and share a list of tasks. Sallyport stores the orgs,
 * members and invitations.
 */
export const teamApp = ({ login, sallyport }: TeamOptions): Express => {
  /** The tasks of each team, by org ID. */
  const tasks = new Map<string, ReadonlyArray<string>>()

  const loggedIn = requireSession()

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
      // Serves /login, /signup, /callback and /logout, and sets `request.session`.
      .use(hostedLogin({ ...login, orgParam: "org" }))

      .get("/", (request, response) => {
        response.send(request.session == null ? welcome() : home(request.session))
      })
      .post("/teams", loggedIn, async (request, response) => {
        const { user_id } = sessionOf(request)
        const org = await sallyport.orgs.create({
          name: memberOf(request.body, "name"),
          user_ids: [user_id],
          permissions: roles.owner
        })
        // The new token lists the new team.
        await refreshSession(request, response)
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
          client_app_id: login.app,
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
