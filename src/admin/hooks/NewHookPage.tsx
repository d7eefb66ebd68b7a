import { useLocation } from "wouter"
import { useDraft } from "../calls/Draft.ts"
import { useScope } from "../calls/Scope.tsx"
import { useTexts } from "../texts/Language.tsx"
import { TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { Section } from "../ui/Section.tsx"
import { useToast } from "../ui/Toast.tsx"
import { EventTypesField } from "./EventTypesField.tsx"
import { hooksPath } from "./HooksPage.tsx"
import { hookTexts } from "./Texts.ts"

interface NewHook {
  readonly destination: string
  readonly event_type: ReadonlyArray<string>
}

/** The form to create a webhook. */
export const NewHookPage = () => {
  const t = useTexts(hookTexts)
  const toast = useToast()
  const { realmId } = useScope()
  const [, navigate] = useLocation()
  const draft = useDraft<NewHook>("new", { destination: "", event_type: [] })
  const { destination, event_type } = draft.values
  return (
    <>
      <PageHeader
        title={t.create}
        lead={realmId === undefined ? t.leadAll : undefined}
        above={[{ text: t.hooks, to: hooksPath(realmId) }]}
      />
      <Section title={t.settings}>
        <Form
          write={(sdk) =>
            sdk.hooks.create({ realm_id: realmId ?? null, hook_type: "webhook", destination, event_type })
          }
          submit={t.create}
          draft={draft}
          onDone={(hook) => {
            toast({ text: t.created })
            navigate(hooksPath(realmId, hook.id))
          }}
        >
          <TextField
            name="destination"
            type="url"
            label={t.destination}
            help={t.destinationHelp}
            placeholder="https://example.com/webhooks"
            isCode
            value={destination}
            onChange={(text) => draft.set({ destination: text })}
          />
          <EventTypesField value={event_type} onChange={(types) => draft.set({ event_type: types })} />
        </Form>
      </Section>
    </>
  )
}
