import type { SeenInvitation } from "#core/invitations/InvitationFlow"
import { askedOfInvited } from "#domain/Signup"
import { haveUsernames } from "#domain/User"
import { type Html, html } from "#platform/Html"
import type { Page } from "../../markup/Document.ts"
import { address, codeField, type Field, type FieldError, type Form, form, newPassword } from "../../markup/Fields.ts"
import { done } from "../../markup/Notices.ts"
import { name } from "../../markup/UserText.ts"
import type { Visit } from "../../PageContext.ts"

/** The ways to accept: with a new account, with one that is there, with the code that one's login waits for. */
export type Way =
  | { readonly way: "signup"; readonly firstName?: string; readonly lastName?: string; readonly orgName?: string }
  | { readonly way: "login"; readonly name?: string }
  | { readonly way: "code"; readonly login: string }

/** The way to another of the ways, by the link of the mail. */
const instead = ({ carried }: Visit, token: string, way: "signup" | "login", question: string, link: string): Html =>
  html`<p class="part">${question} <a href="${address("invitation", { token, way }, carried)}">${link}</a></p>`

const signup = (
  { texts, app, carried }: Visit,
  { invitation, demands }: SeenInvitation,
  token: string,
  way: Way
): Form => {
  const { form: said } = texts
  const { firstName = "", lastName = "", orgName = "" } = way.way === "signup" ? way : {}
  const asked = askedOfInvited(app, invitation)
  const optional = asked.names === "optional"
  const email = { label: said.email, type: "email", autocomplete: "username", value: invitation.email } as const
  const fields: ReadonlyArray<Field> = [
    { ...email, name: "email", fixed: true },
    {
      name: "first_name",
      label: said.firstName,
      type: "text",
      autocomplete: "given-name",
      value: firstName,
      optional
    },
    {
      name: "last_name",
      label: said.lastName,
      type: "text",
      autocomplete: "family-name",
      value: lastName,
      optional
    },
    ...(asked.org === "none"
      ? []
      : [
          {
            name: "org_name",
            label: texts.signup.org,
            type: "text",
            autocomplete: "organization",
            value: orgName,
            optional: asked.org === "optional"
          } as const
        ]),
    ...newPassword(texts, said.demands(demands.leastLength, demands.requiredChars), said.password)
  ]
  return {
    page: "invitation",
    hidden: { ...carried, token, way: "signup" },
    fields,
    button: texts.invitation.signupButton
  }
}

const login = (
  { texts, realm, carried }: Visit,
  { invitation, known }: SeenInvitation,
  token: string,
  way: Way
): Form => {
  const { form: said } = texts
  const value = (way.way === "login" ? way.name : undefined) ?? (known ? invitation.email : "")
  const label = haveUsernames(realm, "human") ? said.name : said.email
  const fields: ReadonlyArray<Field> = [
    { name: "name", label, type: "text", autocomplete: "username", value },
    { name: "password", label: said.password, type: "password", autocomplete: "current-password" }
  ]
  return {
    page: "invitation",
    hidden: { ...carried, token, way: "login" },
    fields,
    button: texts.invitation.loginButton
  }
}

const code = ({ texts, carried }: Visit, token: string, pending: string): Form => {
  const { codeHint, codeButton: button } = texts.invitation
  const fields = [codeField(texts, codeHint)]
  return { page: "invitation", hidden: { ...carried, token, way: "code", login: pending }, fields, button }
}

/** Tells who invites to what, and offers a way to accept. */
export const invitationPage = (
  visit: Visit,
  token: string,
  seen: SeenInvitation,
  way: Way,
  errors: ReadonlyArray<FieldError> = []
): Page => {
  const { texts, realm } = visit
  const said = texts.invitation
  const refused = errors.length > 0
  if (way.way === "code") {
    const content = html`<p>${said.codeLead}</p>
${form(texts, code(visit, token, way.login), errors)}`
    return { status: 200, title: said.code, refused, content }
  }
  const org = seen.org === undefined ? undefined : name(seen.org.name)
  const inviter = seen.inviter === undefined ? undefined : name(seen.inviter)
  const isNew = way.way === "signup"
  const offered = isNew ? signup(visit, seen, token, way) : login(visit, seen, token, way)
  const other = isNew
    ? instead(visit, token, "login", said.toLogin, said.toLoginLink)
    : instead(visit, token, "signup", said.toSignup, said.toSignupLink)
  const content = html`<p>${said.lead({ realm: name(realm.name), org, inviter })}</p>
<section class="part" aria-labelledby="way">
<h2 id="way">${isNew ? said.signup : said.login}</h2>
${form(texts, offered, errors)}
</section>
${other}`
  return { status: 200, title: said.title, refused, content }
}

/** Welcomes who has accepted. `email`: of the account that was made. */
export const acceptedPage = (visit: Visit, { org }: SeenInvitation, email?: string): Page => {
  const { done: title, joined, newAccount } = visit.texts.invitation
  const lead = joined(name(visit.realm.name), org === undefined ? undefined : name(org.name))
  return done(visit, title, email === undefined ? [lead] : [lead, newAccount(name(email))])
}
