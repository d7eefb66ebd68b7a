import type { Membership } from "#domain/Membership"
import { isOwner, type Role, roleOf } from "#domain/Role"
import type { Team, TeamRefusal } from "#domain/Team"
import { type Html, html } from "#platform/Html"
import { pageUrl, withoutTeam } from "../../FlowParams.ts"
import type { View } from "../../markup/Document.ts"
import { errorSummary, type FieldErrors } from "../../markup/Fields.ts"
import type { AppPageContext } from "../../PageContext.ts"
import { accountFooter, accountTabs, savedNote } from "../account/AccountParts.ts"

/** The notices on a team page. */
export interface TeamNotices {
  /** The change that was just saved, as named in the URL. */
  readonly saved?: string | undefined
  /** The reason why a change was not made. */
  readonly refusal?: TeamRefusal | undefined
  /** The errors of a rejected form. */
  readonly errors?: FieldErrors | undefined
}

const statuses: Readonly<Record<TeamRefusal, number>> = {
  no_team: 403,
  not_allowed: 403,
  not_granted: 403,
  member_gone: 404,
  invitation_gone: 404,
  changed: 409,
  last_owner: 422
}

/** Returns the name of a membership's or invitation's role. */
export const roleName = ({ texts, realm }: AppPageContext, permitted: Pick<Membership, "permissions">): string => {
  const { team: copy } = texts
  if (isOwner(permitted)) return copy.owner
  const role = roleOf(realm.roles, permitted)
  return role?.name ?? (permitted.permissions.length === 0 ? copy.member : copy.custom)
}

/** The roles as choices for a field. */
export const roleChoices = (roles: ReadonlyArray<Role>) => roles.map(({ name }) => ({ value: name, label: name }))

/** The flow parameters for a form or link about a team. */
export const teamFlow = ({ flow }: AppPageContext, { org }: Team, member?: string) => ({
  ...withoutTeam(flow),
  org: org.id,
  ...(member === undefined ? {} : { member })
})

/** The URL of the page of a team. */
export const teamUrl = (context: AppPageContext, team: Team, more: Readonly<Record<string, string>> = {}): string =>
  pageUrl("team", teamFlow(context, team), more)

/** A view of a team, with the tabs of the account pages. */
export const teamDocument = (
  context: AppPageContext,
  { saved, refusal, errors = [] }: TeamNotices,
  { title, content }: { readonly title: string; readonly content: Html }
): View => {
  const { texts, flow } = context
  const { team: copy } = texts
  const refused = refusal === undefined ? [] : [{ field: null, text: copy.refused[refusal] }]
  return {
    status: refusal === undefined ? 200 : statuses[refusal],
    title,
    above: accountTabs(context, "team"),
    hasErrors: errors.length > 0 || refusal !== undefined,
    hasMail: saved === "invited" || saved === "resent",
    content: html`<div class="team">
${savedNote(copy.saved, saved)}
${errorSummary(texts, [], refused, { prefix: "refusal-" })}
${content}
</div>
${accountFooter({ ...context, flow: withoutTeam(flow) })}`
  }
}
