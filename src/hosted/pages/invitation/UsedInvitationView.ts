import { html } from "#platform/Html"
import { pageUrl } from "../../FlowParams.ts"
import { icons, type View } from "../../markup/Document.ts"
import { linkLine, primaryLink } from "../../markup/Links.ts"
import type { AppPageContext } from "../../PageContext.ts"

/** Tells a user why they can't invite people. `isForAdmins`: whether admins of orgs can. */
export const cannotInviteView = ({ texts, flow }: AppPageContext, isForAdmins: boolean): View => {
  const { invitation: copy, accounts } = texts
  return {
    status: 403,
    title: copy.cannotTitle,
    icon: icons.problem,
    content: html`<p>${isForAdmins ? copy.cannotOwners : copy.cannotHere}</p>
${linkLine(pageUrl("profile", flow), accounts.profile)}`
  }
}

/** Tells a logged-in user that an invitation no longer works. The user may have just accepted it. */
export const usedInvitationView = ({ texts, flow }: AppPageContext): View => {
  const { title, lead } = texts.problems.invitation
  return {
    status: 410,
    title,
    icon: icons.problem,
    content: html`<p>${lead}</p>
<p>${texts.invitation.usedTodo}</p>
${primaryLink(pageUrl("login", flow), texts.login.continueButton)}
${linkLine(pageUrl("profile", flow), texts.accounts.profile)}`
  }
}
