import { createContext, type ReactNode, useContext } from "react"
import type { Realm } from "#client/generated/types/Realm"
import { useDraft } from "../calls/Draft.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { useSession } from "../session/SessionState.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Checks, Lines, Select, Switch, TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { NumberField } from "../ui/NumberField.tsx"
import { Section } from "../ui/Section.tsx"
import { useToast } from "../ui/Toast.tsx"
import { Difference, Part, useIsFound } from "./Parts.tsx"
import { settingDefaults } from "./SettingDefaults.ts"
import { realmTexts } from "./Texts.ts"

const signupFields = ["username", "names", "org_name"] as const
const jwtScopes = ["ar.orgs", "ar.custom"] as const

type Lists = {
  readonly signup_fields: ReadonlyArray<(typeof signupFields)[number]>
  readonly jwt_scopes: ReadonlyArray<(typeof jwtScopes)[number]>
}

/** The settings that have their own form fields, in the API's format. */
type Settings = Omit<
  Realm,
  "id" | "object" | "created_at" | "jwt_key" | "limits" | "custom" | "roles" | "resource_links" | keyof Lists
> &
  Lists

type Names<V> = { [K in keyof Settings]: Settings[K] extends V ? K : never }[keyof Settings]

const settingsOf = (realm: Realm): Settings => ({
  ...realm,
  signup_fields: signupFields.filter((one) => realm.signup_fields.includes(one)),
  jwt_scopes: jwtScopes.filter((one) => realm.jwt_scopes.includes(one))
})

interface Shown {
  readonly shown: Settings
  readonly change: (changes: Partial<Settings>) => void
  readonly disabled: boolean
}

const ShownContext = createContext<Shown | undefined>(undefined)

const useShown = (): Shown => {
  const draft = useContext(ShownContext)
  if (draft === undefined) throw new Error("There are no settings.")
  return draft
}

interface SettingsSectionProps {
  /** Names the section's draft. */
  readonly name: string
  readonly title: string
  readonly lead?: string
  readonly realm: Realm
  readonly children: ReactNode
}

/** A section of the settings that is saved separately. Only changed members are sent. */
export const SettingsSection = ({ name, title, lead, realm, children }: SettingsSectionProps) => {
  const { save, saved } = useTexts(common)
  const toast = useToast()
  const realmId = useRealmId()
  const disabled = !useSession().may("admin_realm")
  const draft = useDraft(name, settingsOf(realm))
  const { values, changes } = draft
  return (
    <Part id={name}>
      <Section title={title} {...(lead === undefined ? {} : { lead })}>
        <ShownContext value={{ shown: values, change: draft.set, disabled }}>
          <Form
            write={(sdk) => sdk.realms.update(realmId, changes)}
            submit={save}
            canSubmit={draft.isDirty && !disabled}
            draft={draft}
            changes={[["realms"]]}
            loaded={{ read: (sdk) => sdk.realms.get(realmId), seen: realm, changes }}
            onDone={() => toast({ text: saved })}
          >
            {children}
          </Form>
        </ShownContext>
      </Section>
    </Part>
  )
}

const useField = <K extends keyof Settings & keyof (typeof realmTexts)["en"]["fields"]>(name: K) => {
  const t = useTexts(realmTexts)
  const { disabled } = useShown()
  return { name, label: t.fields[name].label, help: t.fields[name].help, disabled }
}

type Known = keyof (typeof realmTexts)["en"]["fields"]

/** Formats a setting's default. */
const useDefaultText = (): ((value: unknown) => string) => {
  const t = useTexts(realmTexts)
  const c = useTexts(common)
  const { language } = useLanguage()
  const texts: Readonly<Record<string, string>> = { ...t.choices, ...t.signupFields, ...t.jwtScopes }
  const textOf = (value: unknown): string => {
    if (typeof value === "boolean") return value ? c.yes : c.no
    if (typeof value === "number") return value.toLocaleString(language)
    if (Array.isArray(value) && value.length > 0) return value.map(textOf).join(", ")
    return typeof value === "string" && value !== "" ? (texts[value] ?? value) : c.none
  }
  return textOf
}

/** A setting that a search can find. Says if it differs from the default. */
const Setting = ({ name, children }: { readonly name: keyof Settings & Known; readonly children: ReactNode }) => {
  const t = useTexts(realmTexts)
  const { shown, change, disabled } = useShown()
  const textOf = useDefaultText()
  const { label, help } = t.fields[name]
  const isFound = useIsFound(label, help, name)
  const standard = settingDefaults[name]
  const isChanged = standard !== undefined && JSON.stringify(shown[name]) !== JSON.stringify(standard)
  if (!isFound) return null
  return (
    <div className="setting">
      {children}
      {isChanged ? (
        <Difference standard={textOf(standard)} onReset={disabled ? undefined : () => change({ [name]: standard })} />
      ) : null}
    </div>
  )
}

/** An optional text setting. */
export const TextSetting = ({
  name,
  isCode = false
}: {
  readonly name: Names<string | null> &
    Known &
    ("name" | "reference" | "api_key_prefix" | "passkey_rp_id" | "default_locale")
  readonly isCode?: boolean
}) => {
  const { shown, change } = useShown()
  const isNullable = name === "reference" || name === "api_key_prefix" || name === "passkey_rp_id"
  return (
    <Setting name={name}>
      <TextField
        {...useField(name)}
        isCode={isCode}
        value={shown[name] ?? ""}
        onChange={(text) => change({ [name]: text === "" && isNullable ? null : text })}
      />
    </Setting>
  )
}

/** A numeric setting. */
export const NumberSetting = ({
  name
}: {
  readonly name:
    | "session_minutes"
    | "jwt_max_bytes"
    | "api_key_minutes"
    | "event_retention_days"
    | "account_deletion_days"
    | "trusted_devices_days"
}) => {
  const { shown, change } = useShown()
  return (
    <Setting name={name}>
      <NumberField
        {...useField(name)}
        value={shown[name]}
        onChange={(value) => change({ [name]: value ?? (name.endsWith("_days") ? null : 0) })}
      />
    </Setting>
  )
}

type ChoiceName =
  | "state"
  | "environment"
  | "username_validation_human"
  | "api_key_policy"
  | "jwt_algo"
  | "jwt_claims"
  | "session_type"
  | "mfa"
  | "session_tokens"
  | "org_mode"
  | "signup"
  | "email_verification"
  | "client_registration"

/** A setting with a fixed set of values. */
export const ChoiceSetting = <K extends ChoiceName>({
  name,
  values
}: {
  readonly name: K
  readonly values: ReadonlyArray<Settings[K] & keyof (typeof realmTexts)["en"]["choices"]>
}) => {
  const t = useTexts(realmTexts)
  const { shown, change } = useShown()
  const field = useField(name)
  const value = values.find((one) => one === shown[name])
  if (value === undefined) return null
  return (
    <Setting name={name}>
      <Select
        {...field}
        value={value}
        options={values.map((one) => ({ value: one, text: t.choices[one] }))}
        onChange={(chosen) => change({ [name]: chosen })}
      />
    </Setting>
  )
}

/** An on/off setting. */
export const SwitchSetting = ({ name }: { readonly name: "require_unique_emails" | "record_unknown_names" }) => {
  const { shown, change } = useShown()
  return (
    <Setting name={name}>
      <Switch {...useField(name)} value={shown[name]} onChange={(value) => change({ [name]: value })} />
    </Setting>
  )
}

/** A list setting with one entry per line. */
export const LinesSetting = ({
  name
}: {
  readonly name: "available_locales" | "oauth_scopes" | "registration_scopes" | "registration_resources"
}) => {
  const { shown, change } = useShown()
  return (
    <Setting name={name}>
      <Lines
        {...useField(name)}
        value={shown[name]}
        onChange={(value) => change({ [name]: value.filter((line) => line !== "" || value.at(-1) === "") })}
      />
    </Setting>
  )
}

/** The fields of sign-ups. */
export const SignupFieldsSetting = () => {
  const t = useTexts(realmTexts)
  const { shown, change } = useShown()
  return (
    <Setting name="signup_fields">
      <Checks
        {...useField("signup_fields")}
        value={shown.signup_fields}
        options={signupFields.map((value) => ({ value, text: t.signupFields[value] }))}
        onChange={(value) => change({ signup_fields: value })}
      />
    </Setting>
  )
}

/** The contents of tokens. */
export const TokenContentSetting = () => {
  const t = useTexts(realmTexts)
  const { shown, change } = useShown()
  return (
    <Setting name="jwt_scopes">
      <Checks
        {...useField("jwt_scopes")}
        value={shown.jwt_scopes}
        options={jwtScopes.map((value) => ({ value, text: t.jwtScopes[value] }))}
        onChange={(value) => change({ jwt_scopes: value })}
      />
    </Setting>
  )
}
