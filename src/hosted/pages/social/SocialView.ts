import type { BrowserStart, CodeDue, JoinDue, SeenJoin } from "#core/hosted/SocialLoginFlow"
import type { User } from "#domain/User"
import { html } from "#platform/Html"
import { type Page, signs } from "../../markup/Document.ts"
import { type Carried, type FieldError, form } from "../../markup/Fields.ts"
import { codePage as codeStep } from "../../markup/MfaCodeView.ts"
import type { Trouble } from "../../markup/Notices.ts"
import { name } from "../../markup/UserText.ts"
import type { AppVisit } from "../../PageContext.ts"
import type { Texts } from "../../texts/en.ts"

/** A way out of a trouble, if there is one. */
interface Way {
  readonly href: string | undefined
  readonly label: string
}

/** Why a login has come to nothing, and where it can be tried again. `lead`: what is known besides. */
export const stranded = (texts: Texts, why: Trouble, status: number, way?: Way, lead?: string): Page => {
  const said = texts.problems[why]
  const link = way?.href === undefined ? undefined : html`<p><a href="${way.href}">${way.label}</a></p>`
  return {
    status,
    title: said.title,
    sign: signs.wait,
    content: html`<p>${lead ?? said.lead}</p>
${link}
<p class="soft">${texts.social.elsewhere}</p>`
  }
}

/** What goes along from a login that was begun so. */
export const carriedBy = ({ returnTo, state }: BrowserStart): Carried => ({
  ...(returnTo === null ? {} : { redirect_uri: returnTo }),
  ...(state === null ? {} : { state })
})

/** Asks for the code that such a login waits for. `next`: where the app takes over. */
export const codePage = (
  texts: Texts,
  { login, ...begun }: CodeDue,
  next: string | undefined,
  errors: ReadonlyArray<FieldError> = []
): Page => {
  const { ownPage, invitation, isInvited } = begun
  const carried = {
    ...carriedBy(begun),
    ...(ownPage === null ? {} : { next: ownPage }),
    ...(invitation === undefined ? {} : { invitation }),
    ...(isInvited ? { invited: "true" } : {})
  }
  const page = codeStep({ texts }, { page: "code", carried, login }, errors)
  return next === undefined ? page : { ...page, next }
}

/** Asks somebody who is logged in whether to accept an invitation that was sent to another address. `next`: as above. */
export const joinPage = (
  { texts, realm }: AppVisit,
  { due, user, about }: { readonly due: JoinDue; readonly user: User; readonly about: SeenJoin },
  next: string | undefined
): Page => {
  const { social: said, invitation } = texts
  const hidden = {
    ...carriedBy(due),
    ...(due.ownPage === null ? {} : { next: due.ownPage }),
    ...(due.isNew ? { signup: "true" } : {}),
    invitation: due.invitation,
    user: user.id
  }
  const asked = { page: "join", fields: [] }
  const org = about.org === undefined ? undefined : name(about.org)
  const inviter = about.inviter === undefined ? undefined : name(about.inviter)
  return {
    status: 200,
    title: said.join,
    content: html`<p>${invitation.lead({ realm: name(realm.name), org, inviter })}</p>
<p>${said.joinLead(name(user.email ?? user.name), name(about.email))}</p>
${form(texts, { ...asked, hidden: { ...hidden, way: "join" }, button: said.joinButton }, [])}
${form(texts, { ...asked, hidden: { ...hidden, way: "skip" }, button: said.skipButton, quiet: true }, [])}`,
    ...(next === undefined ? {} : { next })
  }
}
