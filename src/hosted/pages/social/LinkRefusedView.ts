import { Match } from "effect"
import { formatMessage } from "#api/Messages"
import type { ExternalLoginRefused, LinkRefused, StateNotFound } from "#domain/ExternalLogin"
import { appPagePath } from "#domain/HostedPaths"
import type { Rejected } from "#domain/Rejected"
import type { SessionNotFound } from "#domain/Session"
import { html } from "#platform/Html"
import { icons, type View } from "../../markup/Document.ts"
import { primaryLink } from "../../markup/Links.ts"
import type { AppPageContext } from "../../PageContext.ts"

/** Explains why an account at another service was not connected, with a link back to the security page. */
export const linkRefusedView = (
  { texts, catalogue }: AppPageContext,
  failure: SessionNotFound | StateNotFound | Rejected | LinkRefused | ExternalLoginRefused
): View => {
  const { security: copy } = texts
  const lost = () => copy.linkLost
  const lead = Match.valueTags(failure, {
    SessionNotFound: lost,
    StateNotFound: lost,
    // Someone else connected the account at the same moment.
    Rejected: () => copy.linkedElsewhere,
    LinkRefused: ({ why }) => (why === "linked_elsewhere" ? copy.linkedElsewhere : copy.anotherProfile),
    ExternalLoginRefused: ({ problem }) => formatMessage(catalogue, problem)
  })
  return {
    status: 422,
    title: copy.linkRefused,
    icon: icons.problem,
    content: html`<p>${lead}</p>
${primaryLink(appPagePath("security"), copy.linkBack)}`
  }
}
