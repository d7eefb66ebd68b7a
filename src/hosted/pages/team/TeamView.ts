import type { LinkedMembership } from "#domain/Membership"
import type { Page } from "#domain/Page"
import { ADMIN, managesTeam, mayGrant, type Role } from "#domain/Role"
import type { Team } from "#domain/Team"
import { type Html, html } from "#platform/Html"
import { pageUrl, withoutTeam } from "../../FlowParams.ts"
import type { View } from "../../markup/Document.ts"
import { collapsible, type Field, formMarkup } from "../../markup/Fields.ts"
import { linkLine } from "../../markup/Links.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"
import { type InvitationPage, invitationList } from "./InvitationList.ts"
import { memberRow } from "./MemberRow.ts"
import { roleChoices, type TeamNotices, teamDocument, teamFlow, teamUrl } from "./TeamParts.ts"

/** The state of the team page. */
export interface TeamState extends TeamNotices {
  readonly teams: ReadonlyArray<Team>
  readonly team: Team
  readonly members: Page<LinkedMembership>
  /** The search text, or blank if there is no search. */
  readonly search: string
  /** The ID of the last member of the previous page, or blank on the first page. */
  readonly after: string
  /** The open invitations, or undefined if the user can't manage the team here. */
  readonly invitations: InvitationPage | undefined
  /** Whether the app allows invitations. */
  readonly mayInvite: boolean
  /** The values of a rejected invitation form. */
  readonly typed: { readonly email: string; readonly role: string } | undefined
}

/** The links to the user's other teams. */
const switcher = (context: AppPageContext, { teams, team }: TeamState): Html | undefined => {
  if (teams.length < 2) return undefined
  const link = (one: Team) => {
    const isCurrent = one.org.id === team.org.id
    return html`<li><a href="${teamUrl(context, one)}"${isCurrent && html` aria-current="true"`}><bdi>${one.org.name}</bdi></a></li>`
  }
  const { orgs } = context.texts.team
  return collapsible(orgs, html`<ul>${teams.map(link)}</ul>`, false)
}

/** The number of members from which on the list can be searched. */
const SEARCH_FROM = 10

const searchForm = (context: AppPageContext, { team, search }: TeamState): Html => {
  const { team: copy } = context.texts
  const hidden = Object.entries(teamFlow(context, team))
  return html`<form class="search" method="get" action="team" role="search">
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="field"><label for="search">${copy.search}</label>
<input id="search" type="search" name="search" value="${search}" autocomplete="off" spellcheck="false"></div>
<button type="submit" class="quiet">${copy.searchButton}</button>
</form>`
}

const membersSection = (context: AppPageContext, state: TeamState): Html => {
  const { team: copy } = context.texts
  const { team, members, search, after } = state
  const isLater = after !== ""
  const isSearched = search !== ""
  const last = members.items.at(-1)
  const turn = (label: string, more: Readonly<Record<string, string>>) =>
    linkLine(teamUrl(context, team, { ...(isSearched ? { search } : {}), ...more }), label)
  const isLong = members.more || members.items.length >= SEARCH_FROM
  const hasSearch = managesTeam(team.own) && (isLong || isLater || isSearched)
  const place = { ...(isSearched ? { search } : {}), ...(after === "" ? {} : { after }) }
  return html`<section aria-labelledby="members">
<h2 id="members">${copy.members}</h2>
${hasSearch && searchForm(context, state)}
${members.items.length === 0 && isSearched && html`<p>${copy.nobody(userText(search))}</p>`}
${members.items.length > 0 && html`<ul class="list">${members.items.map((member) => memberRow(context, team, member, place))}</ul>`}
${(members.more || isLater || isSearched) && html`<nav class="turns" aria-label="${copy.pages}">${isLater && turn(copy.first, {})}${members.more && last !== undefined && turn(copy.next, { after: last.id })}${isSearched && linkLine(teamUrl(context, team), copy.everyone)}</nav>`}
</section>`
}

/** The form for inviting someone. On a long page, it links to the open invitations. */
const inviteSection = (context: AppPageContext, state: TeamState): Html => {
  const { team, typed, errors = [], members, invitations } = state
  const hasOpen = members.items.length >= SEARCH_FROM && (invitations?.items.length ?? 0) > 0

  const { texts, realm } = context
  const { team: copy } = texts
  const roles = realm.roles.filter((role) => mayGrant(team.own, role))
  const rankOf = ({ permissions }: Role) =>
    permissions.includes(ADMIN) ? Number.POSITIVE_INFINITY : permissions.length
  const [least] = roles.toSorted((one, other) => rankOf(one) - rankOf(other))
  const fields: ReadonlyArray<Field> = [
    { name: "email", label: copy.email, type: "email", autocomplete: "off", value: typed?.email ?? "", half: true },
    {
      name: "role",
      label: copy.role,
      type: "text",
      autocomplete: "off",
      value: typed?.role ?? least?.name ?? "",
      choices: roleChoices(roles),
      half: true
    }
  ]
  const hidden = { ...teamFlow(context, team), way: "invite" }
  return html`<section class="invite" aria-labelledby="invite">
<h2 id="invite">${copy.invite}</h2>
${formMarkup(texts, { page: "team", hidden, fields, button: copy.inviteButton, id: "invite-" }, errors)}
${hasOpen && html`<p class="way"><a href="#invitations">${copy.invitations}</a></p>`}
</section>`
}

/** Shows the members of a team. Users who manage the team also see the invitations and the forms. */
export const teamView = (context: AppPageContext, state: TeamState): View => {
  const { team: copy } = context.texts
  const { team, invitations, mayInvite } = state
  const canInvite =
    mayInvite && invitations !== undefined && context.realm.roles.some((role) => mayGrant(team.own, role))
  return teamDocument(context, state, {
    title: copy.title,
    content: html`<p>${copy.lead(userText(team.org.name))}</p>
${switcher(context, state)}
${canInvite && inviteSection(context, state)}
${membersSection(context, state)}
${invitations !== undefined && invitationList(context, team, invitations, mayInvite)}
<div class="part">${linkLine(teamUrl(context, team, { member: team.own.id }), copy.leave)}</div>`
  })
}

/** Tells a user that they are not in any org. */
export const noTeamView = (context: AppPageContext, news: TeamNotices): View => {
  const { accounts: copy } = context.texts
  return teamDocument(context, news, {
    title: copy.noneTitle,
    content: html`<p>${copy.none}</p>
<p>${copy.noneTodo}</p>`
  })
}

/** Tells a user that they are not in the org named in the URL, with a link to their own teams. */
export const otherTeamView = (context: AppPageContext): View => {
  const { team: copy } = context.texts
  return teamDocument(
    context,
    { refusal: "no_team" },
    { title: copy.title, content: linkLine(pageUrl("team", withoutTeam(context.flow)), copy.orgs) }
  )
}
