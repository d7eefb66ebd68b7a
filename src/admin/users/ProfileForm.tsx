import { useState } from "react"
import type { User } from "#client/generated/types/User"
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
  const [email, setEmail] = useState(user.email ?? "")
  const [verification, setVerification] = useState(user.email_verification)
  const [firstName, setFirstName] = useState(user.first_name ?? "")
  const [lastName, setLastName] = useState(user.last_name ?? "")
  const [username, setUsername] = useState(user.username ?? "")
  const [locale, setLocale] = useState(user.locale ?? "")
  const [reference, setReference] = useState(user.reference ?? "")
  const [custom, setCustom] = useState(customText(user.custom))
  const attributes = parseCustom(custom)
  const changes = {
    ...changed("email", email, user.email),
    ...(verification === user.email_verification ? {} : { email_verification: verification }),
    ...changed("first_name", firstName, user.first_name),
    ...changed("last_name", lastName, user.last_name),
    ...changed("username", username, user.username),
    ...changed("locale", locale, user.locale),
    ...changed("reference", reference, user.reference),
    ...(custom === customText(user.custom) || attributes === undefined ? {} : { custom: attributes })
  }
  const isDirty = Object.keys(changes).length > 0
  const locales = realm.data?.available_locales ?? (user.locale === null ? [] : [user.locale])
  return (
    <Form
      write={(sdk) => sdk.users.update(user.id, changes)}
      submit={c.save}
      isDirty={isDirty}
      loaded={{ read: (sdk) => sdk.users.get(user.id), seen: user, changes }}
      canSubmit={isDirty && attributes !== undefined}
      onCancel={onClose}
      onDone={() => {
        toast({ text: c.saved })
        onClose()
      }}
    >
      <TextField name="email" type="email" label={t.email} value={email} onChange={setEmail} />
      <Select
        name="email_verification"
        label={u.verification}
        value={verification}
        onChange={setVerification}
        options={[
          { value: "none", text: t.unverified },
          { value: "requested", text: t.requested },
          { value: "verified", text: t.verified }
        ]}
      />
      <div className="form-row">
        <TextField name="first_name" label={u.firstName} isOptional value={firstName} onChange={setFirstName} />
        <TextField name="last_name" label={u.lastName} isOptional value={lastName} onChange={setLastName} />
      </div>
      {realm.data?.username_validation_human === "email" ? null : (
        <TextField name="username" label={u.username} isOptional value={username} onChange={setUsername} />
      )}
      <Select
        name="locale"
        label={t.locale}
        value={locale}
        onChange={setLocale}
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
        value={reference}
        onChange={setReference}
      />
      <CustomField value={custom} onChange={setCustom} />
    </Form>
  )
}
