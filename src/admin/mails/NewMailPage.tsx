import { useLocation } from "wouter"
import { useDraft } from "../calls/Draft.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Form } from "../ui/Form.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { MailFields } from "./MailFields.tsx"
import { MailPreview } from "./MailPreview.tsx"
import { inputOf, newMail } from "./MailValues.ts"
import { mailTexts } from "./Texts.ts"

/** The form to create an email that is sent when an event happens. */
export const NewMailPage = () => {
  const t = useTexts(mailTexts)
  const realmId = useRealmId()
  const [, navigate] = useLocation()
  const draft = useDraft("new", newMail)
  const { values, set } = draft
  const list = pathIn(realmId, "mails")
  return (
    <>
      <PageHeader title={t.newTitle} lead={t.newLead} above={[{ text: t.title, to: list }]} />
      <div className="mail-look">
        <Form
          submit={t.create}
          draft={draft}
          changes={[["hooks"]]}
          write={(sdk) => sdk.hooks.create({ ...inputOf(values), hook_type: "email", realm_id: realmId })}
          onDone={({ id }) => navigate(pathIn(realmId, "mails", id))}
          onCancel={() => navigate(list)}
        >
          <div className="settings">
            <MailFields values={values} set={set} />
          </div>
        </Form>
        <MailPreview values={values} />
      </div>
    </>
  )
}
