import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { useRealmId, useScope } from "../calls/Scope.tsx"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { Choice } from "../ui/Choice.tsx"
import { Loading } from "../ui/Loading.tsx"
import { MailFrame } from "../ui/MailFrame.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { Facts, Section } from "../ui/Section.tsx"
import { inputOf, type MailValues } from "./MailValues.ts"
import { mailTexts } from "./Texts.ts"

/** The delay between the last keystroke and refreshing the preview, in milliseconds. */
const PAUSE = 400

/** A preview of an email with the current form values. */
export const MailPreview = ({ values }: { readonly values: MailValues }) => {
  const t = useTexts(mailTexts)
  const realmId = useRealmId()
  const { sdk } = useScope()
  const { may } = useSession()
  const [typed, setTyped] = useState(values)
  const [part, setPart] = useState<"html" | "text">("html")
  useEffect(() => {
    const timer = setTimeout(() => setTyped(values), PAUSE)
    return () => clearTimeout(timer)
  }, [values])
  const { data, error, isPending } = useQuery({
    queryKey: [realmId, "mail_previews", typed],
    queryFn: async () => {
      // State, delay and recipients don't affect the content.
      const { state: _, delay: _delay, user_type: _users, ...shown } = typed
      return await sdk.hooks.preview({ ...inputOf(shown), realm_id: realmId })
    },
    enabled: may("admin_realm"),
    placeholderData: keepPreviousData
  })
  if (!may("admin_realm")) return <p className="note">{t.needsAdmin}</p>
  const content = data?.[part] ?? null
  return (
    <Section
      title={t.preview}
      lead={data === undefined ? undefined : data.event_id === null ? t.previewSample : t.previewReal}
      actions={
        <Choice label={t.renderer} options={t.parts} values={["html", "text"]} value={part} onChange={setPart} />
      }
    >
      <div className="stack">
        <ProblemNote error={error} />
        {data === undefined && isPending ? <Loading /> : null}
        {data === undefined ? null : (
          <Facts
            facts={[
              [t.previewFrom, data.from.name === null ? data.from.address : `${data.from.name} <${data.from.address}>`],
              [t.previewTo, data.to],
              [t.subject, <strong key="subject">{data.subject}</strong>]
            ]}
          />
        )}
        {data === undefined ? null : content === null ? (
          <p className="faint">{t.noPart}</p>
        ) : part === "html" ? (
          <MailFrame title={t.preview} html={content} />
        ) : (
          <pre className="mail-text">{content}</pre>
        )}
      </div>
    </Section>
  )
}
