import { useState } from "react"
import { useLocation } from "wouter"
import type { AuthProvider } from "#client/generated/types/AuthProvider"
import { useDraft } from "../calls/Draft.ts"
import { isMissing } from "../calls/Problems.ts"
import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { useNeededText } from "../session/NeededText.ts"
import { useSession } from "../session/SessionState.tsx"
import { MissingPage } from "../shell/MissingPage.tsx"
import { pathIn } from "../shell/Paths.ts"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { ActionsMenu } from "../ui/ActionsMenu.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Form } from "../ui/Form.tsx"
import { Loading } from "../ui/Loading.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { useToast } from "../ui/Toast.tsx"
import { Callbacks } from "./Callbacks.tsx"
import { ProviderFields } from "./ProviderFields.tsx"
import { ProviderTest } from "./ProviderTest.tsx"
import { callbackName, inputOf, isExternal, type ProviderType, typeOf, valuesOf } from "./ProviderTypes.ts"
import { SetupSteps } from "./SetupSteps.tsx"
import { aboutType, providerTexts } from "./Texts.ts"

const Provider = ({ provider, type }: { readonly provider: AuthProvider; readonly type: ProviderType }) => {
  const t = useTexts(providerTexts)
  const words = useTexts(common)
  const needed = useNeededText()
  const toast = useToast()
  const realmId = useRealmId()
  const { may } = useSession()
  const [, navigate] = useLocation()
  const draft = useDraft("provider", valuesOf(provider))
  const { values, changes, set, adopt } = draft
  const [deleting, setDeleting] = useState(false)
  const isEditor = may("admin_realm")
  const isOutside = isExternal(type)
  const name = "name" in provider && provider.name !== null ? provider.name : t.names[type]
  const list = pathIn(realmId, "providers")
  return (
    <>
      <PageHeader
        title={name}
        lead={aboutType(t, type)}
        above={[{ text: t.title, to: list }]}
        beside={<Badge tone={provider.state === "active" ? "good" : "plain"}>{t[provider.state]}</Badge>}
      >
        {isEditor && isOutside ? (
          <ActionsMenu label={name} actions={[{ text: t.remove, isDanger: true, onClick: () => setDeleting(true) }]} />
        ) : undefined}
      </PageHeader>
      {isOutside ? <Callbacks name={callbackName(provider)} /> : null}
      {isExternal(type) ? <SetupSteps type={type} /> : null}
      {isOutside && isEditor ? <ProviderTest providerId={provider.id} /> : null}
      <Form
        submit={words.save}
        draft={draft}
        canSubmit={draft.isDirty && isEditor}
        changes={[["auth_providers"]]}
        loaded={{ read: (sdk) => sdk.authProviders.get(provider.id), seen: provider, changes }}
        write={(sdk) => sdk.authProviders.update(provider.id, inputOf(changes))}
        onDone={(saved) => {
          adopt(valuesOf(saved))
          toast({ text: words.saved })
        }}
      >
        <fieldset className="settings" disabled={!isEditor}>
          {isEditor ? null : <p className="note">{needed("admin_realm")}</p>}
          <ProviderFields type={type} values={values} set={set} isSaved />
        </fieldset>
      </Form>
      {deleting ? (
        <Confirm
          title={t.removeTitle(name)}
          action={t.remove}
          typed={name}
          write={(sdk) => sdk.authProviders.delete(provider.id)}
          changes={[["auth_providers"]]}
          onDone={() => {
            toast({ text: t.removed(name) })
            navigate(list)
          }}
          onClose={() => setDeleting(false)}
        >
          {t.removeText(name)}
        </Confirm>
      ) : null}
    </>
  )
}

/** A login method's settings. For external providers, also shows the callback URLs and a connection test. */
export const ProviderPage = ({ providerId = "" }: Record<string, string>) => {
  const { data, error, refetch } = useRead(
    ["auth_providers", providerId],
    async (sdk) => await sdk.authProviders.get(providerId)
  )
  if (data === undefined && isMissing(error)) return <MissingPage />
  if (data === undefined)
    return error === null ? <Loading /> : <ProblemNote error={error} onRetry={() => void refetch()} />
  const type = typeOf(data)
  return type === undefined ? <MissingPage /> : <Provider key={data.id} provider={data} type={type} />
}
