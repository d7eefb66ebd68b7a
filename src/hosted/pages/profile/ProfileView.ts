import type { AcceptedPasskeys } from "#core/account/AccountPasskeys"
import { brandNameOf, type ConnectedApp } from "#domain/ConnectedApp"
import { isEmailVerified } from "#domain/ProvedEmail"
import { type User, usesUsernames } from "#domain/User"
import { type Html, html } from "#platform/Html"
import { pageUrl } from "../../FlowParams.ts"
import { currentPasswordField } from "../../markup/CommonFields.ts"
import type { View } from "../../markup/Document.ts"
import { type Field, type FieldErrors, formMarkup } from "../../markup/Fields.ts"
import { linkLine } from "../../markup/Links.ts"
import { acceptedSignals } from "../../markup/PasskeySignals.ts"
import { userText } from "../../markup/UserText.ts"
import type { AppPageContext } from "../../PageContext.ts"
import { accountFooter, accountTabs, savedNote } from "../account/AccountParts.ts"
import { languageField } from "./LanguageField.ts"

/** The names that can't be emptied: if the app requires names, the names that the user has (C85). */
export const requiredNames = ({ requireNames }: ConnectedApp, { firstName, lastName }: User): ReadonlySet<string> =>
  new Set(
    requireNames ? [...(firstName === null ? [] : ["first_name"]), ...(lastName === null ? [] : ["last_name"])] : []
  )

/** The section where users download their data. */
const dataSection = ({ texts, flow }: AppPageContext): Html => {
  const { profile: copy } = texts
  const form = { page: "profile", hidden: { ...flow, way: "export" }, fields: [], button: copy.dataButton, quiet: true }
  return html`<section class="part" aria-labelledby="data">
<h2 id="data">${copy.data}</h2>
<p>${copy.dataLead}</p>
${formMarkup(texts, form, [])}
</section>`
}

/** The state of the profile page. */
export interface Profile {
  readonly user: User
  /** The user's passkeys, if names on them may have changed. */
  readonly passkeys?: AcceptedPasskeys | undefined
  /** The values of a rejected form. */
  readonly values?: {
    readonly first_name: string
    readonly last_name: string
    readonly email: string
    readonly username: string
    readonly language: string
  }
  /** The change that was just saved, as named in the URL. */
  readonly saved: string | undefined
  readonly asksPassword: boolean
  readonly hasSeveralOrgs: boolean
  /** The user's current org, either chosen or the only one. */
  readonly org: { readonly name: string } | undefined
  readonly mayInvite: boolean
}

/** Notes about unverified addresses, with a form for sending a verification email. */
const unverifiedNotes = ({ texts, realm, flow }: AppPageContext, user: User): Html => {
  const { profile: copy } = texts
  const note = (text: Html, way: "resend" | "verify", button: string) => {
    const form = { page: "profile", hidden: { ...flow, way }, fields: [], button, quiet: true }
    return html`<div class="note"><p>${text}</p>${formMarkup(texts, form, [])}</div>`
  }
  const isAsked = user.emailVerification === "requested" || realm.emailVerification !== "none"
  const isUnconfirmed = isAsked && !isEmailVerified(user)
  return html`${isUnconfirmed && user.email !== null && note(copy.unconfirmed(userText(user.email)), "verify", copy.verify)}
${user.emailPending !== null && note(copy.pending(userText(user.emailPending)), "resend", copy.resend)}`
}

const detailsSection = (context: AppPageContext, view: Profile, errors: FieldErrors): Html => {
  const { texts, realm, app, flow } = context
  const { form: copy, profile, signup } = texts
  const { user } = view
  const values = view.values ?? {
    first_name: user.firstName ?? "",
    last_name: user.lastName ?? "",
    email: user.email ?? "",
    username: user.username ?? "",
    language: undefined
  }
  const usernames = usesUsernames(realm, "human")
  const required = requiredNames(app, user)
  const name = { type: "text", half: true } as const
  const isOptional = (field: string) => (required.has(field) ? false : "unmarked")
  const fields: ReadonlyArray<Field> = [
    {
      ...name,
      name: "first_name",
      optional: isOptional("first_name"),
      label: copy.firstName,
      autocomplete: "given-name",
      value: values.first_name
    },
    {
      ...name,
      name: "last_name",
      optional: isOptional("last_name"),
      label: copy.lastName,
      autocomplete: "family-name",
      value: values.last_name
    },
    { name: "email", label: copy.email, type: "email", autocomplete: "email", value: values.email },
    ...(usernames
      ? [
          {
            name: "username",
            label: signup.username,
            type: "text",
            autocomplete: "username",
            value: values.username
          } as const
        ]
      : []),
    languageField(context, user, values.language),
    ...(view.asksPassword
      ? [
          {
            ...currentPasswordField(texts, "details-password"),
            optional: "unmarked" as const,
            hint: profile.emailNeedsPassword
          }
        ]
      : [])
  ]
  const form = {
    page: "profile",
    hidden: { ...flow, way: "details" },
    fields,
    button: profile.detailsButton,
    id: "details-"
  }
  return html`<section aria-labelledby="details">
<h2 id="details">${profile.details}</h2>
${unverifiedNotes(context, user)}
${formMarkup(texts, form, errors)}
</section>`
}

/** Shows users their own details, with a form for changing them. */
export const profileView = (context: AppPageContext, view: Profile, errors: FieldErrors = []): View => {
  const { texts, flow } = context
  const { profile: copy } = texts
  const links = html`${view.hasSeveralOrgs && linkLine(pageUrl("accounts", flow), view.org === undefined ? copy.chooseOrg : copy.switchOrg)}
${view.mayInvite && linkLine(pageUrl("invitation", flow), copy.invite)}`
  return {
    status: 200,
    title: copy.title,
    above: accountTabs(context, "profile"),
    hasErrors: errors.length > 0,
    passkeys: view.passkeys && {},
    content: html`<p>${copy.lead(userText(view.user.name), userText(brandNameOf(context)))}</p>
${view.org !== undefined && html`<p>${copy.org(userText(view.org.name))}</p>`}
${savedNote(copy.saved, view.saved)}
${detailsSection(context, view, errors)}
${dataSection(context)}
${view.passkeys && acceptedSignals(view.passkeys)}${accountFooter(context, links)}`
  }
}
