import { useState } from "react"
import { useLocation } from "wouter"
import type { Realm } from "#client/generated/types/Realm"
import type { Sallyport } from "#client/Sallyport"
import { useDraft } from "../calls/Draft.ts"
import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { PermissionsField, tagsOf } from "../memberships/Permissions.tsx"
import { OrgPicker, type Picked } from "../memberships/Picker.tsx"
import { membershipTexts } from "../memberships/Texts.ts"
import { NeedsLevel } from "../session/NeedsLevel.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { CustomField, parseCustom } from "../ui/CustomField.tsx"
import { Select, TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { Loading } from "../ui/Loading.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { Section } from "../ui/Section.tsx"
import { useToast } from "../ui/Toast.tsx"
import { makePasswordLink, PasswordLinkShown } from "./PasswordLink.tsx"
import { usersTexts } from "./Texts.ts"

/** Returns an object with the member, or an empty object if the text is blank. */
const typed = <Name extends string>(name: Name, text: string) => (text.trim() === "" ? {} : { [name]: text.trim() })

interface NewUser {
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly username: string
  readonly credentials: "link" | "password" | "none"
  readonly password: string
  readonly email_verification: "none" | "requested" | "verified"
  readonly locale: string
  readonly reference: string
  readonly org_ids: Picked | undefined
  readonly permissions: string
  readonly custom: string
}

const initial: NewUser = {
  email: "",
  first_name: "",
  last_name: "",
  username: "",
  credentials: "link",
  password: "",
  email_verification: "none",
  locale: "",
  reference: "",
  org_ids: undefined,
  permissions: "",
  custom: ""
}

const NewUserForm = ({ realm }: { readonly realm: Realm }) => {
  const t = useTexts(usersTexts)
  const m = useTexts(membershipTexts)
  const [, navigate] = useLocation()
  const toast = useToast()
  const draft = useDraft("new", initial)
  const { values, set } = draft
  const { email, first_name: firstName, last_name: lastName, username, locale, reference, permissions, custom } = values
  const { credentials: signIn, password, email_verification: verification, org_ids: org } = values
  const attributes = parseCustom(custom)

  const [created, setCreated] = useState<{ readonly id: string; readonly link: string }>()

  const write = async (sdk: Sallyport) => {
    const user = await sdk.users.create({
      email: email.trim(),
      ...typed("first_name", firstName),
      ...typed("last_name", lastName),
      ...typed("username", username),
      ...(signIn === "password" ? { password } : { credentials: [] }),
      ...(verification === "none" ? {} : { email_verification: verification }),
      ...typed("locale", locale),
      ...typed("reference", reference),
      ...(custom === "" || attributes === undefined ? {} : { custom: attributes }),
      ...(org === undefined ? {} : { org_ids: [org.id], permissions: tagsOf(permissions) })
    })
    // The user exists even if the link can't be created.
    const link = signIn === "link" ? await makePasswordLink(sdk, user.id).catch(() => undefined) : undefined
    return { user, link }
  }
  return (
    <Section title={t.details}>
      <Form
        write={write}
        submit={t.create}
        canSubmit={attributes !== undefined}
        draft={draft}
        onCancel={() => navigate(pathIn(realm.id, "users"))}
        onDone={({ user, link }) => {
          const isLinkMissing = signIn === "link" && link === undefined
          toast({ text: isLinkMissing ? t.linkFailed(user.name) : t.createdOne(user.name) })
          if (link === undefined) navigate(pathIn(realm.id, "users", user.id))
          else setCreated({ id: user.id, link })
        }}
      >
        <TextField
          name="email"
          type="email"
          label={t.email}
          help={t.emailHelp}
          value={email}
          onChange={(text) => set({ email: text })}
        />
        <div className="form-row">
          <TextField
            name="first_name"
            label={t.firstName}
            isOptional
            value={firstName}
            onChange={(first_name) => set({ first_name })}
          />
          <TextField
            name="last_name"
            label={t.lastName}
            isOptional
            value={lastName}
            onChange={(last_name) => set({ last_name })}
          />
        </div>
        {realm.username_validation_human === "email" ? null : (
          <TextField
            name="username"
            label={t.username}
            help={t.usernameHelp}
            isOptional
            value={username}
            onChange={(text) => set({ username: text })}
          />
        )}
        <Select
          name="credentials"
          label={t.signIn}
          value={signIn}
          onChange={(credentials) => set({ credentials })}
          options={[
            { value: "link", text: t.signInLink },
            { value: "password", text: t.signInPassword },
            { value: "none", text: t.signInNone }
          ]}
        />
        {signIn === "password" ? (
          <TextField
            name="password"
            type="password"
            label={t.password}
            help={t.passwordHelp}
            value={password}
            onChange={(text) => set({ password: text })}
          />
        ) : null}
        <div className="form-row">
          <Select
            name="email_verification"
            label={t.verification}
            value={verification}
            onChange={(email_verification) => set({ email_verification })}
            options={[
              { value: "none", text: t.verificationNone },
              { value: "requested", text: t.verificationRequested },
              { value: "verified", text: t.verificationVerified }
            ]}
          />
          <Select
            name="locale"
            label={t.locale}
            value={locale}
            onChange={(tag) => set({ locale: tag })}
            options={[
              { value: "", text: `${t.realmLocale} (${realm.default_locale})` },
              ...realm.available_locales.map((tag) => ({ value: tag, text: tag }))
            ]}
          />
        </div>
        <TextField
          name="reference"
          label={t.reference}
          help={t.referenceHelp}
          isOptional
          value={reference}
          onChange={(text) => set({ reference: text })}
        />
        <OrgPicker name="org_ids" label={m.org} isOptional picked={org} onPick={(org_ids) => set({ org_ids })} />
        {org === undefined ? null : (
          <PermissionsField value={permissions} onChange={(text) => set({ permissions: text })} />
        )}
        <CustomField value={custom} onChange={(text) => set({ custom: text })} />
      </Form>
      {created === undefined ? null : (
        <PasswordLinkShown link={created.link} onClose={() => navigate(pathIn(realm.id, "users", created.id))} />
      )}
    </Section>
  )
}

/** The form to create a user. */
export const NewUserPage = () => {
  const t = useTexts(usersTexts)
  const realmId = useRealmId()
  const realm = useRead(["realms", realmId], (sdk) => sdk.realms.get(realmId))
  return (
    <>
      <PageHeader title={t.create} lead={t.newLead} above={[{ text: t.users, to: pathIn(realmId, "users") }]} />
      <ProblemNote error={realm.error} onRetry={() => void realm.refetch()} />
      <NeedsLevel level="write">
        {realm.data === undefined ? realm.isPending ? <Loading /> : null : <NewUserForm realm={realm.data} />}
      </NeedsLevel>
    </>
  )
}
