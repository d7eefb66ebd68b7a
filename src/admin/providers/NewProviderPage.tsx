import { useLocation } from "wouter"
import { useDraft } from "../calls/Draft.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Select } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { Section } from "../ui/Section.tsx"
import { ProviderFields } from "./ProviderFields.tsx"
import {
  type ExternalType,
  externalTypes,
  inputOf,
  membersOf,
  newProvider,
  type ProviderValues
} from "./ProviderTypes.ts"
import { aboutType, providerTexts } from "./Texts.ts"

/** The values that apply to a provider type. */
const valuesFor = (type: ExternalType, values: ProviderValues): Partial<ProviderValues> => {
  const members = new Set<string>(membersOf(type))
  return Object.fromEntries(Object.entries(values).filter(([name]) => members.has(name)))
}

/** The form to add an external login provider. */
export const NewProviderPage = () => {
  const t = useTexts(providerTexts)
  const realmId = useRealmId()
  const [, navigate] = useLocation()
  const draft = useDraft<ProviderValues & { readonly provider_type: ExternalType }>("new", {
    ...newProvider,
    provider_type: "google"
  })
  const { values, set } = draft
  const type = values.provider_type
  const list = pathIn(realmId, "providers")
  return (
    <>
      <PageHeader title={t.newTitle} above={[{ text: t.title, to: list }]} />
      <Form
        submit={t.add}
        draft={draft}
        changes={[["auth_providers"]]}
        write={(sdk) => {
          const { scopes, ...input } = inputOf(valuesFor(type, values))
          const hasScopes = values.scopes.some((scope) => scope.trim() !== "")
          return sdk.authProviders.create({ provider_type: type, ...input, ...(hasScopes ? { scopes } : {}) })
        }}
        onDone={({ id }) => navigate(pathIn(realmId, "providers", id))}
        onCancel={() => navigate(list)}
      >
        <div className="settings">
          <Section title={t.provider}>
            <Select
              name="provider_type"
              label={t.provider}
              help={aboutType(t, type)}
              options={externalTypes.map((value) => ({ value, text: t.names[value] }))}
              value={type}
              onChange={(provider_type) => set({ provider_type })}
            />
          </Section>
          <p className="note">{t.callbackLater}</p>
          <ProviderFields type={type} values={values} set={set} isSaved={false} />
        </div>
      </Form>
    </>
  )
}
