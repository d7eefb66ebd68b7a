import { useState } from "react"
import type { Org } from "#client/generated/types/Org"
import { isChanged } from "../calls/Changes.ts"
import { useDraft, useHasDraft } from "../calls/Draft.ts"
import { useSession } from "../session/SessionState.tsx"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Code, CodeBlock } from "../ui/Copy.tsx"
import { CustomField, customText, parseCustom } from "../ui/CustomField.tsx"
import { TextField } from "../ui/Fields.tsx"
import { Form } from "../ui/Form.tsx"
import { Facts, Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { useToast } from "../ui/Toast.tsx"
import { orgsTexts } from "./Texts.ts"

const SettingsForm = ({ org, onClose }: { readonly org: Org; readonly onClose: () => void }) => {
  const t = useTexts(orgsTexts)
  const c = useTexts(common)
  const toast = useToast()
  const before = { reference: org.reference ?? "", custom: customText(org.custom) }
  const draft = useDraft("org", { name: org.name, ...before })
  const { name, reference, custom } = draft.values
  const attributes = parseCustom(custom)
  const changes = {
    ...(name === org.name ? {} : { name }),
    ...(reference.trim() === before.reference ? {} : { reference: reference.trim() === "" ? null : reference.trim() }),
    ...(custom === before.custom || attributes === undefined ? {} : { custom: attributes })
  }
  return (
    <Form
      write={(sdk) => sdk.orgs.update(org.id, changes)}
      submit={c.save}
      draft={draft}
      loaded={{ read: (sdk) => sdk.orgs.get(org.id), seen: org, changes }}
      canSubmit={isChanged(changes) && attributes !== undefined}
      onCancel={onClose}
      onDone={() => {
        toast({ text: c.saved })
        onClose()
      }}
    >
      <TextField name="name" label={t.name} value={name} onChange={(text) => draft.set({ name: text })} />
      <TextField
        name="reference"
        label={t.reference}
        help={t.referenceHelp}
        isOptional
        value={reference}
        onChange={(text) => draft.set({ reference: text })}
      />
      <CustomField value={custom} onChange={(text) => draft.set({ custom: text })} />
    </Form>
  )
}

/** The settings of an org. */
export const OrgSettings = ({ org }: { readonly org: Org }) => {
  const t = useTexts(orgsTexts)
  const c = useTexts(common)
  const { may } = useSession()
  const [isEditing, setEditing] = useState(useHasDraft("org"))
  const { id, name, reference, created_at, custom } = org
  return (
    <Section
      title={t.settings}
      actions={
        may("write") && org.state !== "closed" && !isEditing ? (
          <Button small onClick={() => setEditing(true)}>
            {c.edit}
          </Button>
        ) : undefined
      }
    >
      {isEditing ? (
        <SettingsForm org={org} onClose={() => setEditing(false)} />
      ) : (
        <Facts
          facts={[
            [t.name, name],
            [
              t.reference,
              reference === null ? undefined : <Code key="reference" text={reference} label={t.reference} />
            ],
            [t.id, <Code key="id" text={id} label={t.id} />],
            [t.created, <Time key="created" at={created_at} />],
            [
              c.custom,
              Object.keys(custom).length === 0 ? undefined : <CodeBlock key="custom" text={customText(custom)} />
            ]
          ]}
        />
      )}
    </Section>
  )
}
