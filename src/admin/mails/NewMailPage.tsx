import { useState } from "react"
import { useLocation } from "wouter"
import { useRealmId } from "../calls/Scope.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Form } from "../ui/Form.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { MailFields } from "./MailFields.tsx"
import { MailPreview } from "./MailPreview.tsx"
import { inputOf, type MailValues, newMail } from "./MailValues.ts"
import { mailTexts } from "./Texts.ts"

/** The form to create an email that is sent when an event happens. */
export const NewMailPage = () => {
  const t = useTexts(mailTexts)
  const realmId = useRealmId()
  const [, navigate] = useLocation()
  const [values, setValues] = useState(newMail)
  const list = pathIn(realmId, "mails")
  return (
    <>
      <PageHeader title={t.newTitle} lead={t.newLead} above={[{ text: t.title, to: list }]} />
      <div className="mail-look">
        <Form
          submit={t.create}
          isDirty={values !== newMail}
          changes={[["hooks"]]}
          write={(sdk) => sdk.hooks.create({ ...inputOf(values), hook_type: "email", realm_id: realmId })}
          onDone={({ id }) => navigate(pathIn(realmId, "mails", id))}
          onCancel={() => navigate(list)}
        >
          <div className="settings">
            <MailFields
              values={values}
              set={(changed: Partial<MailValues>) => setValues((before) => ({ ...before, ...changed }))}
            />
          </div>
        </Form>
        <MailPreview values={values} />
      </div>
    </>
  )
}
