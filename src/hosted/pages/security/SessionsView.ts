import type { DateTime } from "effect"
import type { Session } from "#domain/Session"
import { type Html, html } from "#platform/Html"
import { formMarkup } from "../../markup/Fields.ts"
import { timeText } from "../../markup/TimeText.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"
import { clientName } from "./ClientName.ts"

/** The sessions of a user. */
export interface SessionList {
  readonly items: ReadonlyArray<Session>
  /** Whether there are older sessions. */
  readonly more: boolean
  /** The ID of the session that shows the page. */
  readonly current: string
}

const sessionItem = ({ texts, flow }: AppPageContext, session: Session, current: string): Html => {
  const { language, security: copy } = texts
  const name = clientName(texts, session.requestClient)
  const isCurrent = session.id === current
  const at = (label: string, time: DateTime.Utc) => html`${label} ${timeText(language, time)}`
  const form = {
    page: "security",
    hidden: { ...flow, way: "end_session", session: session.id },
    fields: [],
    button: copy.endSession,
    label: copy.endSessionOf(name),
    quiet: true
  }
  return html`<li class="row"><div><p>${userText(name)}${isCurrent && html` <span class="tag">${copy.thisBrowser}</span>`}</p>
<p class="soft">${session.requestIp !== null && html`${session.requestIp}<br>`}${at(copy.begun, session.createdAt)}${
    session.lastSeenAt !== null && html`<br>${at(copy.lastSeen, session.lastSeenAt)}`
  }</p></div>
${!isCurrent && formMarkup(texts, form, [])}</li>`
}

/** The section with the places where a user is logged in. This browser comes first. */
export const sessionsSection = (context: AppPageContext, { items, more, current }: SessionList): Html => {
  const { texts, flow } = context
  const { security: copy } = texts
  const inOrder = [...items.filter(({ id }) => id === current), ...items.filter(({ id }) => id !== current)]
  const form = {
    page: "security",
    hidden: { ...flow, way: "end_others" },
    fields: [],
    button: copy.endOthers,
    quiet: true
  }
  return html`<section class="part" aria-labelledby="sessions">
<h2 id="sessions">${copy.sessions}</h2>
<ul class="list">${inOrder.map((session) => sessionItem(context, session, current))}</ul>
${more && html`<p class="soft">${copy.olderSessions}</p>`}
${(inOrder.length > 1 || more) && formMarkup(texts, form, [])}
</section>`
}
