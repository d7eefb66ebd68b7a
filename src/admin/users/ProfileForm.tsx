import type { User } from "#client/generated/types/User"
import { isChanged } from "../calls/Changes.ts"
import { useDraft } from "../calls/Draft.ts"
import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { localeName } from "../texts/LocaleName.ts"
import { CustomField, customText, parseCustom } from "../ui/CustomField.tsx"
import { Select, TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { useToast } from "../ui/Toast.tsx"
import { usersTexts } from "./Texts.ts"
import { userTexts } from "./UserTexts.ts"

/** Returns an object with the member if its text has changed. The value is null if the text was cleared. */
const changed = <Name extends string>(name: Name, text: string, before: string | null) => {
  const now = text.trim() === "" ? null : text.trim()
  return now === before ? {} : { [name]: now }
}

/** Edits a user's profile. Sends only the changes. */
export const ProfileForm = ({ user, onClose }: { readonly user: User; readonly onClose: () => void }) => {
  const t = useTexts(userTexts)
  const u = useTexts(usersTexts)
  const c = useTexts(common)
  const { language } = useLanguage()
  const toast = useToast()
  const realmId = useRealmId()
  const realm = useRead(["realms", realmId], (sdk) => sdk.realms.get(realmId))
  const draft = useDraft("profile", {
    email: user.email ?? "",
    email_verification: user.email_verification,
    first_name: user.first_name ?? "",
    last_name: user.last_name ?? "",
    username: user.username ?? "",
    locale: user.locale ?? "",
    reference: user.reference ?? "",
    custom: customText(user.custom)
  })
  const { values, set } = draft
  const attributes = parseCustom(values.custom)
  const changes = {
    ...changed("email", values.email, user.email),
    ...(values.email_verification === user.email_verification ? {} : { email_verification: values.email_verification }),
    ...changed("first_name", values.first_name, user.first_name),
    ...changed("last_name", values.last_name, user.last_name),
    ...changed("username", values.username, user.username),
    ...changed("locale", values.locale, user.locale),
    ...changed("reference", values.reference, user.reference),
    ...(values.custom === customText(user.custom) || attributes === undefined ? {} : { custom: attributes })
  }
  const locales = realm.data?.available_locales ?? (user.locale === null ? [] : [user.locale])
  return (
    <Form
      write={(sdk) => sdk.users.update(user.id, changes)}
      submit={c.save}
      draft={draft}
      loaded={{ read: (sdk) => sdk.users.get(user.id), seen: user, changes }}
      canSubmit={isChanged(changes) && attributes !== undefined}
      onCancel={onClose}
      onDone={() => {
        toast({ text: c.saved })
        onClose()
      }}
    >
      <TextField name="email" type="email" label={t.email} value={values.email} onChange={(email) => set({ email })} />
      <Select
        name="email_verification"
        label={u.verification}
        value={values.email_verification}
        onChange={(email_verification) => set({ email_verification })}
        options={[
          { value: "none", text: t.unverified },
          { value: "requested", text: t.requested },
          { value: "verified", text: t.verified }
        ]}
      />
      <div className="form-row">
        <TextField
          name="first_name"
          label={u.firstName}
          isOptional
          value={values.first_name}
          onChange={(first_name) => set({ first_name })}
        />
        <TextField
          name="last_name"
          label={u.lastName}
          isOptional
          value={values.last_name}
          onChange={(last_name) => set({ last_name })}
        />
      </div>
      {realm.data?.username_validation_human === "email" ? null : (
        <TextField
          name="username"
          label={u.username}
          isOptional
          value={values.username}
          onChange={(username) => set({ username })}
        />
      )}
      <Select
        name="locale"
        label={t.locale}
        value={values.locale}
        onChange={(locale) => set({ locale })}
        options={[
          { value: "", text: u.realmLocale },
          ...locales.map((tag) => ({ value: tag, text: localeName(tag, language) }))
        ]}
      />
      <TextField
        name="reference"
        label={u.reference}
        help={u.referenceHelp}
        isOptional
        value={values.reference}
        onChange={(reference) => set({ reference })}
      />
      <CustomField value={values.custom} onChange={(custom) => set({ custom })} />
    </Form>
  )
}
