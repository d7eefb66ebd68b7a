import { useTexts } from "../texts/Language.tsx"
import { Checks, Select, Switch, TextArea } from "../ui/Fields.tsx"
import { NumberField } from "../ui/NumberField.tsx"
import { Section } from "../ui/Section.tsx"
import { EndpointFields, ExternalFields, IssuerFields } from "./ExternalFields.tsx"
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
          {isExternal(type) ? <ExternalFields type={type} values={values} set={set} isSaved={isSaved} /> : null}
        </div>
      </Section>
      {type === "oidc" ? <IssuerFields values={values} set={set} /> : null}
      {type === "oauth2" ? <EndpointFields values={values} set={set} /> : null}
    </>
  )
}
