import { useState } from "react"
import { useLocation } from "wouter"
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
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Form } from "../ui/Form.tsx"
import { Loading } from "../ui/Loading.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { useToast } from "../ui/Toast.tsx"
import { eventName, type MailHook } from "./MailEvents.ts"
import { MailFields } from "./MailFields.tsx"
import { MailPreview } from "./MailPreview.tsx"
import { useMailTitle } from "./MailTitle.tsx"
import { inputOf, valuesOf } from "./MailValues.ts"
import { TestMail } from "./TestMail.tsx"
import { mailTexts } from "./Texts.ts"

const Mail = ({ hook }: { readonly hook: MailHook }) => {
  const t = useTexts(mailTexts)
  const words = useTexts(common)
  const needed = useNeededText()
  const toast = useToast()
  const realmId = useRealmId()
  const { may } = useSession()
  const [, navigate] = useLocation()
  const draft = useDraft("mail", valuesOf(hook))
  const { values, changes, set, adopt } = draft
  const [open, setOpen] = useState<"test" | "delete" | undefined>()
  const close = () => setOpen(undefined)
  const isEditor = may("admin_realm")
  const event = eventName(t.eventNames, hook.event_type[0])
  const name = useMailTitle()(hook)
  const list = pathIn(realmId, "mails")
  return (
    <>
      <PageHeader
        title={name}
        lead={
          <>
            {event} · <code>{hook.event_type[0]}</code>
          </>
        }
        above={[{ text: t.title, to: list }]}
        beside={hook.state === "inactive" ? <Badge tone="waiting">{t.inactive}</Badge> : undefined}
      >
        {isEditor ? (
          <>
            <Button onClick={() => setOpen("test")}>{t.test}</Button>
            <ActionsMenu
              label={name}
              actions={[{ text: t.deleteMail, isDanger: true, onClick: () => setOpen("delete") }]}
            />
          </>
        ) : undefined}
      </PageHeader>
      <div className="mail-look">
        <Form
          submit={words.save}
          draft={draft}
          canSubmit={draft.isDirty && isEditor}
          changes={[["hooks"]]}
          loaded={{ read: (sdk) => sdk.hooks.get(hook.id), seen: hook, changes }}
          write={(sdk) => sdk.hooks.update(hook.id, inputOf(changes))}
          onDone={(saved) => {
            if (saved.hook_type === "email") adopt(valuesOf(saved))
            toast({ text: words.saved })
          }}
        >
          <fieldset className="settings" disabled={!isEditor}>
            {isEditor ? null : <p className="note">{needed("admin_realm")}</p>}
            <MailFields values={values} set={set} />
          </fieldset>
        </Form>
        <MailPreview values={values} />
      </div>
      {open === "test" ? <TestMail hookId={hook.id} onClose={close} /> : null}
      {open === "delete" ? (
        <Confirm
          title={t.deleteTitle(name)}
          action={t.deleteMail}
          write={(sdk) => sdk.hooks.delete(hook.id)}
          changes={[["hooks"]]}
          onDone={() => {
            toast({ text: t.deleted })
            navigate(list)
          }}
          onClose={close}
        >
          {t.deleteText}
        </Confirm>
      ) : null}
    </>
  )
}

/** An email's subject and template, with a preview. */
export const MailPage = ({ hookId = "" }: Record<string, string>) => {
  const { data, error, refetch } = useRead(["hooks", hookId], async (sdk) => await sdk.hooks.get(hookId))
  if (data === undefined && isMissing(error)) return <MissingPage />
  if (data === undefined)
    return error === null ? <Loading /> : <ProblemNote error={error} onRetry={() => void refetch()} />
  return data.hook_type === "email" ? <Mail key={data.id} hook={data} /> : <MissingPage />
}
