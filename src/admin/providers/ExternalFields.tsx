import { useTexts } from "../texts/Language.tsx"
import { Lines, Select, TextArea, TextField } from "../ui/Fields.tsx"
import { Section } from "../ui/Section.tsx"
import type { ProviderType, ProviderValues } from "./ProviderTypes.ts"
import { providerTexts } from "./Texts.ts"

interface PartProps {
  readonly values: ProviderValues
  readonly set: (values: Partial<ProviderValues>) => void
}

interface ExternalProps extends PartProps {
  /** Whether a client secret is already saved. */
  readonly isSaved: boolean
}

/** The IDs and the private key with which client secrets for Apple are signed. */
const AppleFields = ({ values, set, isSaved }: ExternalProps) => {
  const t = useTexts(providerTexts)
  return (
    <>
      <div className="form-row">
        <TextField
          name="team_id"
          label={t.teamId}
          help={t.teamIdHelp}
          isCode
          value={values.team_id}
          onChange={(team_id) => set({ team_id })}
        />
        <TextField
          name="key_id"
          label={t.keyId}
          help={t.keyIdHelp}
          isCode
          value={values.key_id}
          onChange={(key_id) => set({ key_id })}
        />
      </div>
      <TextArea
        name="client_secret"
        isSecret
        label={t.privateKey}
        help={isSaved ? `${t.privateKeyHelp} ${t.privateKeyKept}` : t.privateKeyHelp}
        isCode
        isOptional={isSaved}
        rows={6}
        value={values.client_secret}
        onChange={(client_secret) => set({ client_secret })}
      />
    </>
  )
}

const tenantKinds = ["common", "organizations", "consumers"] as const

/** Which accounts can log in at Microsoft: a kind of accounts, or those of one tenant. */
const TenantFields = ({ values, set }: PartProps) => {
  const t = useTexts(providerTexts)
  const kind = tenantKinds.find((one) => one === values.tenant) ?? "single"
  return (
    <>
      <Select
        name="tenant.kind"
        label={t.tenant}
        help={t.tenantHelp}
        options={([...tenantKinds, "single"] as const).map((value) => ({ value, text: t.tenants[value] }))}
        value={kind}
        onChange={(value) => set({ tenant: value === "single" ? "" : value })}
      />
      {kind === "single" ? (
        <TextField
          name="tenant"
          label={t.tenantId}
          help={t.tenantIdHelp}
          isCode
          value={values.tenant}
          onChange={(tenant) => set({ tenant })}
        />
      ) : null}
    </>
  )
}

const SecretMethod = ({ values, set, any }: PartProps & { readonly any: string }) => {
  const t = useTexts(providerTexts)
  return (
    <Select
      name="token_endpoint_auth_method"
      label={t.secretMethod}
      help={t.secretMethodHelp}
      options={(["", "client_secret_basic", "client_secret_post"] as const).map((value) => ({
        value,
        text: value === "" ? any : t.secretMethods[value]
      }))}
      value={values.token_endpoint_auth_method}
      onChange={(token_endpoint_auth_method) => set({ token_endpoint_auth_method })}
    />
  )
}

/** How an OpenID Provider is called. */
export const IssuerFields = ({ values, set }: PartProps) => {
  const t = useTexts(providerTexts)
  return (
    <Section title={t.protocol}>
      <div className="stack">
        <SecretMethod values={values} set={set} any={t.secretMethodDiscovered} />
        <Select
          name="response_mode"
          label={t.responseMode}
          help={t.responseModeHelp}
          options={(["query", "form_post"] as const).map((value) => ({ value, text: t.responseModes[value] }))}
          value={values.response_mode}
          onChange={(response_mode) => set({ response_mode })}
        />
      </div>
    </Section>
  )
}

/** The fields of our registration at an external provider. */
export const ExternalFields = ({ type, values, set, isSaved }: ExternalProps & { readonly type: ProviderType }) => {
  const t = useTexts(providerTexts)
  return (
    <>
      {type === "oidc" ? (
        <TextField
          name="issuer"
          type="url"
          label={t.issuer}
          help={t.issuerHelp}
          value={values.issuer}
          onChange={(issuer) => set({ issuer })}
        />
      ) : null}
      <TextField
        name="client_id"
        label={t.clientId}
        help={type === "apple" ? t.servicesIdHelp : t.clientIdHelp}
        isCode
        value={values.client_id}
        onChange={(client_id) => set({ client_id })}
      />
      {type === "apple" ? (
        <AppleFields values={values} set={set} isSaved={isSaved} />
      ) : (
        <TextField
          name="client_secret"
          type="password"
          label={t.clientSecret}
          help={isSaved ? `${t.clientSecretHelp} ${t.clientSecretKept}` : t.clientSecretHelp}
          isOptional={isSaved}
          value={values.client_secret}
          onChange={(client_secret) => set({ client_secret })}
        />
      )}
      {type === "microsoft" ? <TenantFields values={values} set={set} /> : null}
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

/** The endpoints and the profile of a generic OAuth 2.0 provider. */
export const EndpointFields = ({ values, set }: PartProps) => {
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
          <SecretMethod values={values} set={set} any={t.secretMethodAny} />
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
