import type { LinkedMembership } from "#domain/Membership"
import { isOwner, managesTeam, mayGrant, mayManage, type Role, roleOf } from "#domain/Role"
import type { Team } from "#domain/Team"
import { type Html, html } from "#platform/Html"
import { initialOf } from "../../markup/Document.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"
import { roleName, teamFlow, teamUrl } from "./TeamParts.ts"

/** The part of the list that a row is in, which its form returns to. */
export type ListPlace = Readonly<Record<string, string>>

/** The roles that the menu of a member offers: those that the user can grant, and the current one. */
const rolesFor = ({ realm }: AppPageContext, { own }: Team, member: LinkedMembership): ReadonlyArray<Role> => {
  const current = isOwner(member) ? undefined : roleOf(realm.roles, member)
  const roles = realm.roles.filter((role) => role === current || mayGrant(own, role))
  return roles.every((role) => role === current) ? [] : roles
}

/**
 * The menu of a member: the roles as buttons of one form, and the link to the member's page. It is a disclosure, so it works
 * without scripts.
 */
const roleMenu = (context: AppPageContext, team: Team, member: LinkedMembership, place: ListPlace): Html => {
  const { team: copy } = context.texts
  const name = member.user?.name ?? ""
  const role = roleName(context, member)
  const roles = rolesFor(context, team, member)
  const hidden = { ...teamFlow(context, team, member.id), ...place, way: "role", seen: member.permissions.join(" ") }
  const choice = (one: Role) =>
    one.name === role
      ? html`<p class="chosen">${one.name}</p>`
      : html`<button type="submit" name="role" value="${one.name}">${one.name}</button>`
  const form = html`<form method="post" action="team" aria-label="${copy.roleOf(name)}">
${Object.entries(hidden).map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`)}
${roles.map(choice)}
</form>
`
  return html`<details class="menu" name="menu"><summary aria-label="${role}: ${copy.manageOf(name)}">${role}</summary><div>
${roles.length > 0 && form}<a href="${teamUrl(context, team, { member: member.id })}" aria-label="${copy.manageOf(name)}">${copy.manage}</a>
</div></details>`
}

/** Shows a member on one line: the name, the email and the role. Users who can manage the member get a menu. */
export const memberRow = (context: AppPageContext, team: Team, member: LinkedMembership, place: ListPlace): Html => {
  const { team: copy } = context.texts
  const { own } = team
  const isOwn = member.id === own.id
  const name = member.user?.name ?? ""
  // Only users who manage the team can see email addresses (C211).
  const email = managesTeam(own) || isOwn ? (member.user?.email ?? null) : null
  return html`<li class="row member"><span class="initial" aria-hidden="true">${initialOf(name)}</span>
<p class="who"><span class="fits">${userText(name)}${isOwn && html` <span class="tag">${copy.you}</span>`}</span>${
    email !== null && html` <bdi class="soft fits">${email}</bdi>`
  }</p>
${mayManage(own, member) ? roleMenu(context, team, member, place) : html`<span class="soft">${roleName(context, member)}</span>`}</li>`
}
