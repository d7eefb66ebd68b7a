import { useState } from "react"
import type { Hook } from "#client/generated/types/Hook"
import { useDraft } from "../calls/Draft.ts"
import { useSession } from "../session/SessionState.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Code } from "../ui/Copy.tsx"
import { TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { NumberField } from "../ui/NumberField.tsx"
import { Section } from "../ui/Section.tsx"
import { useToast } from "../ui/Toast.tsx"
import { EventTypesField } from "./EventTypesField.tsx"
import { hookTexts } from "./Texts.ts"

type Webhook = Extract<Hook, { hook_type: "webhook" }>

/** The signing secret of a webhook, hidden until revealed. */
const Secret = ({ hook }: { readonly hook: Webhook }) => {
  const t = useTexts(hookTexts)
  const toast = useToast()
  const [isShown, setShown] = useState(false)
  const [isRotating, setRotating] = useState(false)
  if (hook.secret === null) return null
  return (
    <Section
      title={t.secret}
      lead={t.secretHelp}
      actions={
        <>
          <Button small onClick={() => setShown(!isShown)}>
            {isShown ? t.hide : t.show}
          </Button>
          <Button small onClick={() => setRotating(true)}>
            {t.rotate}
          </Button>
        </>
      }
    >
      {isShown ? <Code text={hook.secret} label={t.secret} /> : <code>whsec_••••••••••••••••</code>}
      {isRotating ? (
        <Confirm
          title={t.rotateTitle}
          action={t.rotate}
          isDanger={false}
          write={(sdk) => sdk.hooks.rotateSecret(hook.id)}
          onClose={() => setRotating(false)}
          onDone={() => {
            setRotating(false)
            setShown(true)
            toast({ text: t.rotated })
          }}
        >
          <p>{t.rotateText}</p>
        </Confirm>
      ) : null}
    </Section>
  )
}

/** The settings of a webhook. */
export const HookSettings = ({ hook }: { readonly hook: Webhook }) => {
  const t = useTexts(hookTexts)
  const { save, saved } = useTexts(common)
  const toast = useToast()
  const disabled = !useSession().may("admin_realm")
  const draft = useDraft("hook", {
    destination: hook.destination ?? "",
    delay: hook.delay,
    event_type: hook.event_type
  })
  const { values, changes, set } = draft
  return (
    <>
      <Section title={t.settings}>
        <Form
          write={(sdk) => sdk.hooks.update(hook.id, changes)}
          submit={save}
          canSubmit={draft.isDirty && !disabled}
          draft={draft}
          changes={[["hooks"]]}
          loaded={{ read: (sdk) => sdk.hooks.get(hook.id), seen: hook, changes }}
          onDone={() => toast({ text: saved })}
        >
          <TextField
            name="destination"
            type="url"
            label={t.destination}
            help={t.destinationHelp}
            isCode
            disabled={disabled}
            value={values.destination}
            onChange={(destination) => set({ destination })}
          />
          <EventTypesField
            disabled={disabled}
            value={values.event_type}
            onChange={(event_type) => set({ event_type })}
          />
          <NumberField
            name="delay"
            label={t.delay}
            help={t.delayHelp}
            disabled={disabled}
            value={values.delay}
            onChange={(delay) => set({ delay: delay ?? 0 })}
          />
        </Form>
      </Section>
      <Secret hook={hook} />
    </>
  )
}
