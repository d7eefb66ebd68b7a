import type { Realm } from "#client/generated/types/Realm"
import { useDraft } from "../calls/Draft.ts"
import { useSession } from "../session/SessionState.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { CustomField, customText, parseCustom } from "../ui/CustomField.tsx"
import { Form } from "../ui/Form.tsx"
import { Section } from "../ui/Section.tsx"
import { useToast } from "../ui/Toast.tsx"
import { realmTexts } from "./Texts.ts"

/** The custom attributes of a realm. */
export const CustomSection = ({ realm }: { readonly realm: Realm }) => {
  const t = useTexts(realmTexts)
  const { save, saved } = useTexts(common)
  const toast = useToast()
  const disabled = !useSession().may("admin_realm")
  const draft = useDraft("custom", { custom: customText(realm.custom) })
  const text = draft.values.custom
  const custom = parseCustom(text)
  return (
    <Section title={t.sections.custom}>
      <Form
        write={(sdk) => sdk.realms.update(realm.id, { custom: custom ?? {} })}
        submit={save}
        canSubmit={draft.isDirty && custom !== undefined && !disabled}
        draft={draft}
        changes={[["realms"]]}
        loaded={{ read: (sdk) => sdk.realms.get(realm.id), seen: realm, changes: { custom: true } }}
        onDone={() => toast({ text: saved })}
      >
        <CustomField value={text} onChange={(custom) => draft.set({ custom })} disabled={disabled} />
      </Form>
    </Section>
  )
}
