import { useTexts } from "../texts/Language.tsx"
import { Checks, Lines, Select, Switch, TextArea, TextField } from "../ui/Fields.tsx"
import { NumberField } from "../ui/NumberField.tsx"
import { Section } from "../ui/Section.tsx"
import { isExternal, type ProviderType, type ProviderValues } from "./ProviderTypes.ts"
import { providerTexts } from "./Texts.ts"

interface ProviderFieldsProps {
  readonly type: ProviderType
  readonly values: ProviderValues
  readonly set: (values: Partial<ProviderValues>) => void
  /** Whether a client secret is already saved. */
  readonly isSaved: boolean
}

type PartProps = Pick<ProviderFieldsProps, "values" | "set">

const PasswordFields = ({ values, set }: PartProps) => {
  const t = useTexts(providerTexts)
  return (
    <>
      <NumberField
        name="min_length"
        label={t.minLength}
        help={t.minLengthHelp}
        value={values.min_length}
        onChange={(min_length) => set({ min_length: min_length ?? 8 })}
      />
      <Select
        name="preset"
        label={t.preset}
        help={t.presetHelp}
        options={(["none", "nist"] as const).map((value) => ({ value, text: t.presets[value] }))}
        value={values.preset}
        onChange={(preset) => set({ preset })}
      />
      <Checks
        name="required_chars"
        label={t.requiredChars}
        help={t.requiredCharsHelp}
        options={(["lower", "upper", "digit", "symbol"] as const).map((value) => ({ value, text: t.chars[value] }))}
        value={values.required_chars}
        onChange={(required_chars) => set({ required_chars })}
      />
    </>
  )
}

const PasskeyFields = ({ values, set }: PartProps) => {
  const t = useTexts(providerTexts)
  return (
    <>
      <Select
        name="user_verification"
        label={t.userVerification}
        help={t.userVerificationHelp}
        options={(["preferred", "required"] as const).map((value) => ({ value, text: t.verifications[value] }))}
        value={values.user_verification}
        onChange={(user_verification) => set({ user_verification })}
      />
      <Select
        name="attestation"
        label={t.attestation}
        help={t.attestationHelp}
        options={(["none", "direct"] as const).map((value) => ({ value, text: t.attestations[value] }))}
        value={values.attestation}
        onChange={(attestation) => set({ attestation })}
      />
      {values.attestation === "direct" ? (
        <TextArea
          name="attestation_roots"
          label={t.attestationRoots}
          help={t.attestationRootsHelp}
          isCode
          isOptional
          rows={6}
          value={values.attestation_roots}
          onChange={(attestation_roots) => set({ attestation_roots })}
        />
      ) : null}
    </>
  )
}

const ExternalFields = ({ values, set, isSaved }: PartProps & { readonly isSaved: boolean }) => {
  const t = useTexts(providerTexts)
  return (
    <>
      <TextField
        name="client_id"
        label={t.clientId}
        help={t.clientIdHelp}
        isCode
        value={values.client_id}
        onChange={(client_id) => set({ client_id })}
      />
      <TextField
        name="client_secret"
        type="password"
        label={t.clientSecret}
        help={isSaved ? `${t.clientSecretHelp} ${t.clientSecretKept}` : t.clientSecretHelp}
        isOptional={isSaved}
        value={values.client_secret}
        onChange={(client_secret) => set({ client_secret })}
      />
      <TextField
        name="name"
        label={t.nameLabel}
        help={t.nameHelp}
        isOptional
        value={values.name}
        onChange={(name) => set({ name })}
      />
      <Lines
        name="scopes"
        label={t.scopes}
        help={t.scopesHelp}
        isOptional
        value={values.scopes}
        onChange={(scopes) => set({ scopes })}
      />
    </>
  )
}

const EndpointFields = ({ values, set }: PartProps) => {
  const t = useTexts(providerTexts)
  const url = (name: "authorization_url" | "token_url" | "profile_url", label: string) => (
    <TextField name={name} type="url" label={label} value={values[name]} onChange={(text) => set({ [name]: text })} />
  )
  const field = (
    name: "id_field" | "email_field" | "email_verified_field" | "first_name_field" | "last_name_field" | "name_field",
    label: string,
    help?: string
  ) => (
    <TextField
      name={name}
      label={label}
      help={help}
      isCode
      isOptional={name !== "id_field" && name !== "email_field"}
      value={values[name]}
      onChange={(text) => set({ [name]: text })}
    />
  )
  return (
    <>
      <Section title={t.endpoints}>
        <div className="stack">
          {url("authorization_url", t.authorizationUrl)}
          {url("token_url", t.tokenUrl)}
          {url("profile_url", t.profileUrl)}
          <Select
            name="token_endpoint_auth_method"
            label={t.secretMethod}
            help={t.secretMethodHelp}
            options={(["", "client_secret_basic", "client_secret_post"] as const).map((value) => ({
              value,
              text: value === "" ? t.secretMethodAny : t.secretMethods[value]
            }))}
            value={values.token_endpoint_auth_method}
            onChange={(token_endpoint_auth_method) => set({ token_endpoint_auth_method })}
          />
        </div>
      </Section>
      <Section title={t.fields} lead={t.fieldsLead}>
        <div className="form-row">
          {field("id_field", t.idField)}
          {field("email_field", t.emailField)}
          {field("email_verified_field", t.emailVerifiedField, t.emailVerifiedHelp)}
          {field("name_field", t.nameField)}
          {field("first_name_field", t.firstNameField)}
          {field("last_name_field", t.lastNameField)}
        </div>
      </Section>
    </>
  )
}

/** The form fields of a provider type. */
export const ProviderFields = ({ type, values, set, isSaved }: ProviderFieldsProps) => {
  const t = useTexts(providerTexts)
  return (
    <>
      <Section title={t.settings}>
        <div className="stack">
          <Switch
            name="state"
            label={t.stateLabel}
            value={values.state === "active"}
            onChange={(on) => set({ state: on ? "active" : "inactive" })}
          />
          {type === "password" ? <PasswordFields values={values} set={set} /> : null}
          {type === "passkey" ? <PasskeyFields values={values} set={set} /> : null}
          {type === "email_code" ? (
            <Switch
              name="second_factor"
              label={t.secondFactor}
              help={t.secondFactorHelp}
              value={values.second_factor}
              onChange={(second_factor) => set({ second_factor })}
            />
          ) : null}
          {isExternal(type) ? <ExternalFields values={values} set={set} isSaved={isSaved} /> : null}
        </div>
      </Section>
      {type === "oauth2" ? <EndpointFields values={values} set={set} /> : null}
    </>
  )
}
