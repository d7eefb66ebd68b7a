import { appPagePath } from "#domain/HostedPaths"
import { type Html, html } from "#platform/Html"
import { pageUrl } from "../FlowParams.ts"
import type { PageContext } from "../PageContext.ts"
import type { Texts } from "../texts/en.ts"
import { icons, type View } from "./Document.ts"
import { formMarkup } from "./Fields.ts"
import { backToApp, linkLine, primaryLink, withBackToApp } from "./Links.ts"

/** The name of a problem that ends a page. Its texts describe the problem and tell users what to do. */
export type ProblemName = keyof Texts["problems"]

const notice = (status: number, title: string, lead: string, todo: string): View => ({
  status,
  title,
  icon: icons.problem,
  content: html`<p>${lead}</p>
<p>${todo}</p>`
})

/** Shows a problem that ends a page. */
export const problemView = (
  { problems }: Texts,
  name: ProblemName,
  status: number,
  retryAfterSeconds?: number
): View => {
  const { title, lead, todo } = problems[name]
  const view = notice(status, title, lead, todo)
  return retryAfterSeconds === undefined ? view : { ...view, retryAfterSeconds }
}

/** The links to show with a problem, on the host of an app. */
const problemLinks: { readonly [Name in ProblemName]?: ReadonlyArray<"login" | "forgot"> } = {
  verify: ["login"],
  reset: ["forgot", "login"],
  invitation: ["login"],
  code: ["login"],
  deletion: ["login"],
  provider_inactive: ["login"],
  nowhere: ["login"]
}

/** Shows a problem that ends a page. On the host of an app, the page links to the pages that the text mentions. */
export const endView = ({ texts, app, flow }: PageContext, name: ProblemName, status: number): View => {
  const view = problemView(texts, name, status)
  const [first, ...others] = app === undefined ? [] : (problemLinks[name] ?? [])
  if (first === undefined) return view
  const labels = { login: texts.login.button, forgot: texts.forgot.again }
  const urlOf = (page: "login" | "forgot") => `/${pageUrl(page, flow)}`
  return {
    ...view,
    content: html`${view.content}
${primaryLink(urlOf(first), labels[first])}
${others.map((page) => linkLine(urlOf(page), labels[page]))}`
  }
}

/** Shows that an address does not exist. On the host of an app, it links to the login or, for a logged-in user, to the app. */
export const notFoundView = (context: PageContext, isLoggedIn = false): View => {
  const { texts, app } = context
  const view = problemView(texts, "not_found", 404)
  if (app === undefined) return view
  if (isLoggedIn && backToApp(context) !== undefined) return withBackToApp(context, view)
  return { ...view, content: html`${view.content}\n${primaryLink(appPagePath("login"), texts.login.back)}` }
}

/** Tells the user about too many attempts. `backUrl` is the URL of the page with the form. */
export const rateLimitedView = ({ tooMany }: Texts, retryAfterSeconds: number, backUrl?: string): View => {
  const view = notice(429, tooMany.title, tooMany.lead(retryAfterSeconds), tooMany.todo)
  const content = backUrl === undefined ? view.content : html`${view.content}\n${primaryLink(backUrl, tooMany.back)}`
  return { ...view, content, retryAfterSeconds }
}

/** A link for retrying a failed login. `href` is undefined if a retry is not possible. */
interface Retry {
  readonly href: string | undefined
  readonly label: string
}

/** Shows why a login with a provider can't start or continue. */
export const socialProblemView = (texts: Texts, name: ProblemName, status: number, retry?: Retry): View => {
  const problem = texts.problems[name]
  const link = retry?.href === undefined ? undefined : html`<p><a href="${retry.href}">${retry.label}</a></p>`
  return {
    status,
    title: problem.title,
    icon: icons.problem,
    content: html`<p>${problem.lead}</p>
${link}
<p class="soft">${texts.social.elsewhere}</p>`
  }
}

/**
 * Shows a success. On the host of an app, the page links to the login, and users who started in another browser are asked to
 * continue there (C188). A user who is logged in continues right away.
 */
export const successView = (
  { texts, app, flow, client }: PageContext,
  title: string,
  leads: ReadonlyArray<Html>,
  isLoggedIn = false
): View => {
  const view = { status: 200, title, icon: icons.success }
  const paragraphs = html`${leads.map(
    (lead) => html`<p>${lead}</p>
`
  )}`
  if (isLoggedIn) {
    const form = { page: "login", hidden: { ...flow, way: "continue" }, fields: [], button: texts.login.continueButton }
    return { ...view, forms: "app", content: html`${paragraphs}${formMarkup(texts, form, [])}` }
  }
  return {
    ...view,
    content: html`${paragraphs}${app === undefined ? html`<p class="soft">${texts.close}</p>` : primaryLink(pageUrl("login", flow), texts.login.button)}
${app !== undefined && client === undefined && html`<p class="soft">${texts.authorize.elsewhere}</p>`}`
  }
}
