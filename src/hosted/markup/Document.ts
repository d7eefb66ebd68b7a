import { type Appearance, logoPath } from "#domain/Appearance"
import { brandNameOf, type ConnectedApp } from "#domain/ConnectedApp"
import { SYSTEM } from "#domain/Ids"
import { systemRealm } from "#domain/Realm"
import { MARK_PATH } from "#domain/ServiceMark"
import { Html, html } from "#platform/Html"
import type { PageContext } from "../PageContext.ts"
import { brandStyleOf } from "./BrandStyle.ts"
import type { FormScope, PasskeyParts } from "./ContentSecurityPolicy.ts"
import { formPostScript, isFormPost } from "./FormPostScript.ts"
import { logoPicture } from "./LogoPicture.ts"
import { passkeyScript } from "./PasskeyScript.ts"
import { script } from "./Script.ts"
import { hasStrengthMeter, strengthScript } from "./StrengthScript.ts"
import { style } from "./Style.ts"

/** The content of a page, before it is rendered as a document. */
export interface View {
  readonly status: number
  /** The title and heading. Must not contain text chosen by users. */
  readonly title: string
  /**
   * Whether the view shows a form again with errors. The document title then starts with a note about them, for screen
   * readers.
   */
  readonly hasErrors?: boolean
  /** Content above the heading, such as the tabs of the account pages. */
  readonly above?: Html
  /** A decorative icon above the heading. */
  readonly icon?: Html
  readonly content: Html
  readonly retryAfterSeconds?: number
  /** Whether the view's forms can lead out of hosted login to the app. By default, they can't. */
  readonly forms?: FormScope
  /** Whether the content says that an email was sent. If it is in the mailbox instead, the page links there. */
  readonly hasMail?: boolean
  /** Whether the content shows a logo other than the app's. */
  readonly hasLogo?: boolean
  /** The passkey script and options of the view, if it has any. */
  readonly passkeys?: PasskeyParts | undefined
  /** The supported methods, for a 405 response. */
  readonly allow?: ReadonlyArray<string>
}

const check = html`<path d="m5 12.5 4.5 4.5L19 7.5" />`
const exclamation = html`<path d="M12 6v7.5M12 17.7v.1" />`
const envelope = html`<path d="M4 6.5h16v11H4zM4.5 7l7.5 6 7.5-6" />`

const icon = (className: string, path: Html): Html =>
  html`<div class="sign ${className}"><svg viewBox="0 0 24 24" aria-hidden="true">${path}</svg></div>`

/** The icons of views that report a success, a problem or a sent email. */
export const icons = {
  success: icon("good", check),
  problem: icon("wait", exclamation),
  mail: icon("mail", envelope)
}

/** A view whose forms can redirect to the app in the end. `returnUrl` is null if the app has no URL for that. */
export const withRedirectTarget = (returnUrl: string | null | undefined, view: View): View =>
  returnUrl === null || returnUrl === undefined ? view : { ...view, forms: "app" }

/** The first character of a name, in upper case. */
export const initialOf = (text: string): string => {
  const [first] = new Intl.Segmenter().segment(text.trim())
  return first?.segment.toUpperCase() ?? ""
}

const brand = (realm: string): Html =>
  html`<header class="brand"><span aria-hidden="true">${initialOf(realm)}</span><p><bdi>${realm}</bdi></p></header>`

/** The service's own logo, as in the console, on the pages for operators. */
const serviceBrand = html`<header class="brand"><span aria-hidden="true"><svg viewBox="0 0 16 16" width="100%" height="100%" fill="none" stroke="currentColor" stroke-width="1.6"><path d="${MARK_PATH}"/></svg></span><p>${systemRealm.name}</p></header>`

/** The logo of an app in each theme. Its alternative text is the app's name, which is not shown elsewhere. */
const logo = (name: string, appearance: Appearance): Html | undefined => {
  const picture = logoPicture(appearance, name)
  return picture === undefined ? undefined : html`<header class="brand">${picture}</header>`
}

/** The logo used as the icon of the browser tab. */
const tabIcon = (app: ConnectedApp | undefined): Html | undefined => {
  const file = app?.appearance.logo ?? app?.appearance.darkLogo ?? undefined
  return file === undefined
    ? undefined
    : html`<link rel="icon" href="${logoPath(file)}">
`
}

/** The app's header, which was sanitized when it was stored, or else its logo, or else the name of the app or realm. */
const header = (context: PageContext): Html => {
  const { realm, app } = context
  const own = app?.header ?? undefined
  if (own !== undefined) return html`<header class="above">${Html.of(own)}</header>`
  if (realm === undefined) return html``
  if (realm.id === SYSTEM) return serviceBrand
  const name = brandNameOf({ realm, app })
  return (app === undefined ? undefined : logo(name, app.appearance)) ?? brand(name)
}

const footer = ({ app }: PageContext): Html => {
  const own = app?.footer ?? undefined
  return own === undefined ? html`` : html`<footer class="below">${Html.of(own)}</footer>`
}

/** Says where the email is, on a service that sends none. */
const mailboxNote = ({ texts, mailboxUrl }: PageContext): Html | undefined =>
  mailboxUrl === undefined
    ? undefined
    : html`
<p class="note mailbox">${texts.sent.local} <a href="${mailboxUrl}">${texts.sent.mailbox}</a></p>`

/** Renders a view as a complete document. */
export const renderDocument = (context: PageContext, view: View): string => {
  const { texts, realm, app } = context
  const heading = view.hasErrors === true ? texts.form.errorTitle(view.title) : view.title
  const title = realm === undefined ? heading : `${heading} – ${brandNameOf({ realm, app })}`
  const css = app?.externalCss ?? undefined
  const layout = app?.appearance.layout ?? undefined
  const ownStyle = app === undefined ? undefined : brandStyleOf(app.appearance)
  return html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${Html.of(style)}</style>
${ownStyle !== undefined && html`<style>${Html.of(ownStyle.css)}</style>`}
${css !== undefined && html`<link rel="stylesheet" href="${css}">`}
${tabIcon(app)}<script>${Html.of(script)}</script>
${hasStrengthMeter(view.content) && html`<script>${Html.of(strengthScript)}</script>`}
${isFormPost(view.content) && html`<script>${Html.of(formPostScript)}</script>`}
${view.passkeys !== undefined && html`<script>${Html.of(passkeyScript)}</script>`}
</head>
<body${layout !== undefined && html` class="${layout}"`}>
${header(context)}
<main>
${view.above}${view.icon}
<h1>${view.title}</h1>
${view.content}${view.hasMail === true && mailboxNote(context)}
</main>
${footer(context)}
</body>
</html>
`.markup
}
