import type { Invitation } from "#domain/Invitation"
import type { Page } from "#domain/Page"
import { isOwner, mayGrant } from "#domain/Role"
import type { Team } from "#domain/Team"
import { type Html, html } from "#platform/Html"
import { formMarkup } from "../../markup/Fields.ts"
import { linkLine } from "../../markup/Links.ts"
import { dateText } from "../../markup/TimeText.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"
import { roleName, teamFlow, teamUrl } from "./TeamParts.ts"

/** The open invitations of a team. */
export interface InvitationPage extends Page<Invitation> {
  /** Whether this page comes after the first page. */
  readonly isLater: boolean
}

const invitationRow = (context: AppPageContext, team: Team, invitation: Invitation, mayInvite: boolean): Html => {
  const { texts } = context
  const { language, team: copy } = texts
  const { id, email, invitedAt, expiresAt } = invitation
  const form = (way: string, button: string, label: string) => {
    const hidden = { ...teamFlow(context, team), way, invitation: id }
    return formMarkup(texts, { page: "team", hidden, fields: [], button, label, quiet: true }, [])
  }
  const isOwners = isOwner(team.own)
  return html`<li class="row"><div><p>${userText(email)}</p>
<p class="soft">${roleName(context, invitation)} · ${invitedAt !== null && html`${copy.sent(dateText(language, invitedAt))}, `}${copy.expires(dateText(language, expiresAt))}</p></div>
<div class="acts">${mayInvite && mayGrant(team.own, invitation) && form("resend", copy.resend, copy.resendTo(email))}
${(isOwners || !isOwner(invitation)) && form("revoke", copy.revoke, copy.revokeOf(email))}</div></li>`
}

/** The section with the open invitations. Empty if there are none. */
export const invitationList = (
  context: AppPageContext,
  team: Team,
  { items, more, isLater }: InvitationPage,
  mayInvite: boolean
): Html | undefined => {
  const { team: copy } = context.texts
  const last = items.at(-1)
  if (last === undefined) return undefined
  return html`<section class="part" aria-labelledby="invitations">
<h2 id="invitations">${copy.invitations}</h2>
<ul class="list">${items.map((invitation) => invitationRow(context, team, invitation, mayInvite))}</ul>
${(more || isLater) && html`<nav class="turns" aria-label="${copy.pages}: ${copy.invitations}">${isLater && linkLine(teamUrl(context, team), copy.first)}${more && linkLine(teamUrl(context, team, { invited_after: last.id }), copy.next)}</nav>`}
</section>`
}
