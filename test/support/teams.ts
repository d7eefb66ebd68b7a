import { type GivenRealm, uniqueText } from "#testing/Given"
import { appAt } from "../external/BrowserLogins.ts"
import { statusAndHeading, visibleText } from "./pages.ts"
import { quickUser } from "./passwordEntryPoints.ts"
import { service } from "./sallyport.ts"
import { formsIn, Visitor } from "./visitor.ts"

export const OWNER = ["ar:owner"]
export const EDITOR = ["notes:read", "notes:write"]
export const ADMIN = ["ar:admin", ...EDITOR]
export const VIEWER = ["notes:read"]

/** The roles of a team's realm. */
export const roles = [
  { name: "Admin", permissions: ADMIN },
  { name: "Editor", permissions: EDITOR },
  { name: "Viewer", permissions: VIEWER },
  { name: "Auditor", permissions: ["audit:read"] }
]

/** The page shown without access. */
export const REFUSED = [403, "Team"]

/** The actions of a page's forms, by their `way` field. */
export const formActions = (visitor: Visitor) => formsIn(visitor.page).flatMap(({ values }) => values["way"] ?? [])

/** An org in a realm with roles, and an app on whose host its members meet. */
export const teamIn = async (given?: GivenRealm) => {
  const realm = given ?? (await (await service()).given.realm({ roles }))
  const { origin, app } = await appAt(realm)
  const org = await realm.org({ name: uniqueText("Crew") })

  /** Adds a new member, by default to the org. */
  const join = async (permissions: ReadonlyArray<string>, attributes: object = {}, to: string = org.id) => {
    const user = await quickUser(realm, { ...attributes })
    const { id } = await realm.membership(user.id, to, { permissions })
    return { user, id, email: user.string("email") }
  }

  /** Adds a new member who is logged in. */
  const arrive = async (...joining: Parameters<typeof join>) => {
    const member = await join(...joining)
    const visitor = new Visitor(realm.transport, origin)
    await visitor.logIn(member.email)
    return { ...member, visitor }
  }

  /** The permissions of a member, or the response's status if there is no such member. */
  const permissionsOf = async ({ id }: { readonly id: string }): Promise<ReadonlyArray<string> | number> => {
    const reply = await realm.get(`/v2/memberships/${id}`)
    return reply.status === 200 ? Object(reply.body).permissions : reply.status
  }

  /** Posts a form about the org. Returns each event with the id of its actor, its subject, and the changes. */
  const act = async (visitor: Visitor, way: string, form: Readonly<Record<string, string>> = {}) => {
    const before = (await realm.seen.all()).length
    const page = await visitor.send("/team", { org: org.id, way, ...form })
    const events = (await realm.seen.all()).slice(before)
    return {
      status: page.status,
      met: statusAndHeading(page),
      told: visibleText(page),
      to: page.status === 303 ? visitor.leads.pathname + visitor.leads.search : undefined,
      events: events.map(({ event_type, actor, membership_id, invitation_id, changed }) => [
        event_type,
        Object(actor).id,
        membership_id ?? invitation_id,
        ...(changed === undefined ? [] : [changed])
      ])
    }
  }

  const saved = (change: string) => `/team?org=${org.id}&saved=${change}`
  return { realm, origin, app, org, join, arrive, permissionsOf, act, saved }
}
