import { useLocation } from "wouter"
import type { AuthProvider } from "#client/generated/types/AuthProvider"
import { useDraft } from "../calls/Draft.ts"
import { useList } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Select } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { Loading } from "../ui/Loading.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { Section } from "../ui/Section.tsx"
import { Callbacks } from "./Callbacks.tsx"
import { ProviderFields } from "./ProviderFields.tsx"
import {
  type ExternalType,
  externalTypes,
  inputOf,
  isUnique,
  membersOf,
  newProvider,
  type ProviderValues
} from "./ProviderTypes.ts"
import { SetupSteps } from "./SetupSteps.tsx"
import { aboutType, providerTexts } from "./Texts.ts"

/** The values that apply to a provider type. */
const valuesFor = (type: ExternalType, values: ProviderValues): Partial<ProviderValues> => {
  const members = new Set<string>(membersOf(type))
  return Object.fromEntries(Object.entries(values).filter(([name]) => members.has(name)))
}

/** The form for a provider of one of the types that the realm can add. */
const NewProvider = ({ types }: { readonly types: ReadonlyArray<ExternalType> }) => {
  const t = useTexts(providerTexts)
  const realmId = useRealmId()
  const [, navigate] = useLocation()
  const draft = useDraft<ProviderValues & { readonly provider_type: ExternalType }>("new", {
    ...newProvider,
    provider_type: types[0] ?? "oidc"
  })
  const { values, set } = draft
  const type = types.find((one) => one === values.provider_type) ?? types[0] ?? "oidc"
  return (
    <Form
      submit={t.add}
      draft={draft}
      changes={[["auth_providers"]]}
      write={(sdk) => {
        const { scopes, ...input } = inputOf(valuesFor(type, values))
        const hasScopes = values.scopes.some((scope) => scope.trim() !== "")
        return sdk.authProviders.create({
          provider_type: type,
          ...input,
          ...(hasScopes ? { scopes } : {}),
          ...(isUnique(type) ? { callback_by_type: true } : {})
        })
      }}
      onDone={({ id }) => navigate(pathIn(realmId, "providers", id))}
      onCancel={() => navigate(pathIn(realmId, "providers"))}
    >
      <div className="settings">
        <Section title={t.provider}>
          <Select
            name="provider_type"
            label={t.provider}
            help={aboutType(t, type)}
            options={types.map((value) => ({ value, text: t.names[value] }))}
            value={type}
            onChange={(provider_type) => set({ provider_type })}
          />
        </Section>
        {isUnique(type) ? <Callbacks name={type} /> : <p className="note">{t.callbackLater}</p>}
        <SetupSteps type={type} />
        <ProviderFields type={type} values={values} set={set} isSaved={false} />
      </div>
    </Form>
  )
}

/** The page to add an external login provider. Types that the realm has already are not offered again. */
export const NewProviderPage = () => {
  const t = useTexts(providerTexts)
  const realmId = useRealmId()
  const { items, error, reload } = useList<AuthProvider>(["auth_providers"], (sdk, page) =>
    sdk.authProviders.list(page)
  )
  const types = externalTypes.filter(
    (type) => !isUnique(type) || items?.every(({ provider_type }) => provider_type !== type)
  )
  return (
    <>
      <PageHeader title={t.newTitle} above={[{ text: t.title, to: pathIn(realmId, "providers") }]} />
      {items !== undefined ? (
        <NewProvider types={types} />
      ) : error === null ? (
        <Loading />
      ) : (
        <ProblemNote error={error} onRetry={reload} />
      )}
    </>
  )
}
