import type { LinkedMembership } from "#domain/Membership"
import { isOwner, mayGrant, roleOf } from "#domain/Role"
import { canBecomeOwner, type Team } from "#domain/Team"
import { type Html, html } from "#platform/Html"
import type { View } from "../../markup/Document.ts"
import { collapsible, type Field, type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import { linkLine } from "../../markup/Links.ts"
import { dateText } from "../../markup/TimeText.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"
import { roleChoices, roleName, type TeamNotices, teamDocument, teamFlow, teamUrl } from "./TeamParts.ts"

/** The state of the page of a member. */
export interface MemberState extends TeamNotices {
  readonly team: Team
  readonly member: LinkedMembership
  /** The `way` of the rejected form. */
  readonly refusedWay: string | undefined
}

const factsOf = (context: AppPageContext, member: LinkedMembership): Html => {
  const { language, team: copy } = context.texts
  const { user } = member
  return html`<p>${userText(user?.name ?? "")}<br>
<span class="soft">${user?.email !== null && html`<bdi>${user?.email}</bdi><br>`}${roleName(context, member)} · ${copy.joined(dateText(language, member.createdAt))}</span></p>`
}

/** Returns the form for changing the role, or undefined if the user can't grant any role. */
const roleForm = (context: AppPageContext, { team, member }: MemberState, errors: FieldErrors): Html | undefined => {
  const { texts, realm } = context
  const { team: copy } = texts
  const current = isOwner(member) ? undefined : roleOf(realm.roles, member)
  const roles = realm.roles.filter((role) => role === current || mayGrant(team.own, role))
  if (roles.every((role) => role === current)) return undefined
  const none = { value: "", label: copy.choose }
  const field: Field = {
    name: "role",
    label: copy.role,
    type: "text",
    autocomplete: "off",
    value: current?.name ?? "",
    choices: [...(current === undefined ? [none] : []), ...roleChoices(roles)]
  }
  const hidden = { ...teamFlow(context, team, member.id), way: "role", seen: member.permissions.join(" ") }
  return formMarkup(texts, { page: "team", hidden, fields: [field], button: copy.changeRole, id: "role-" }, errors)
}

/** Shows a member to a user who can change or remove members. */
export const memberView = (context: AppPageContext, state: MemberState): View => {
  const { texts } = context
  const { team: copy } = texts
  const { team, member, refusedWay, errors = [] } = state
  const name = member.user?.name ?? ""
  const [named, org] = [userText(name), userText(team.org.name)]
  const errorsOf = (way: string) => (way === refusedWay ? errors : [])
  const confirmation = (way: string, summary: string, lead: Html, button: string) => {
    const hidden = { ...teamFlow(context, team, member.id), way }
    const form = formMarkup(
      texts,
      { page: "team", hidden, fields: [], button, id: `${way}-`, quiet: true },
      errorsOf(way)
    )
    return collapsible(summary, html`<p>${lead}</p>\n${form}`, way === refusedWay)
  }
  const handsOver = isOwner(team.own) && !isOwner(member) && canBecomeOwner(member)
  return teamDocument(context, state, {
    title: copy.member,
    content: html`${factsOf(context, member)}
${roleForm(context, state, errorsOf("role"))}
<div class="part">
${handsOver && confirmation("hand_over", copy.handOver, copy.handOverLead(named, org), copy.handOverButton(name))}
${confirmation("remove", copy.remove, copy.removeLead(named, org), copy.removeButton(name))}
</div>
<div class="part">${linkLine(teamUrl(context, team), copy.back)}</div>`
  })
}

/** Asks whether to leave the org. If the user is the last owner, explains that they can't leave. */
export const leaveView = (context: AppPageContext, team: Team, mayLeave: boolean, news: TeamNotices): View => {
  const { texts } = context
  const { team: copy } = texts
  const org = userText(team.org.name)
  const hidden = { ...teamFlow(context, team, team.own.id), way: "leave" }
  const form = formMarkup(texts, { page: "team", hidden, fields: [], button: copy.leaveButton(team.org.name) }, [])
  return teamDocument(context, news, {
    title: copy.leaveTitle,
    content: html`${mayLeave ? html`<p>${copy.leaveLead(org)}</p>\n${form}` : html`<p>${copy.lastOwner(org)}</p>`}
<div class="part">${linkLine(teamUrl(context, team), copy.back)}</div>`
  })
}
