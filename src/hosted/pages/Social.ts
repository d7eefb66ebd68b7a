import type { BrowserStart, CodeDue } from "#core/login/BrowserLogins"
import { html } from "#core/Html"
import type { Texts } from "../texts/en.ts"
import { codePage as codeStep } from "./Code.ts"
import type { Carried, FieldError } from "./Fields.ts"
import { type Page, signs } from "./Layout.ts"
import type { Trouble } from "./Notice.ts"

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
  const { ownPage, invitation } = begun
  const carried = {
    ...carriedBy(begun),
    ...(ownPage === null ? {} : { next: ownPage }),
    ...(invitation === undefined ? {} : { invitation })
  }
  const page = codeStep({ texts }, { page: "code", carried, login }, errors)
  return next === undefined ? page : { ...page, next }
}
