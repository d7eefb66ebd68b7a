import { useState } from "react"
import type { Message } from "#client/generated/types/Message"
import { useTexts } from "../texts/Language.tsx"
import { Choice } from "../ui/Choice.tsx"
import { CodeBlock } from "../ui/Copy.tsx"
import { MailFrame } from "../ui/MailFrame.tsx"
import { Section } from "../ui/Section.tsx"
import { mailboxTexts } from "./Texts.ts"

const views = ["html", "text", "source"] as const

type View = (typeof views)[number]

/** An email as its recipient sees it, as plain text, or as source. */
export const MailView = ({ mail }: { readonly mail: Message }) => {
  const t = useTexts(mailboxTexts)
  const available = views.filter((view) => mail[view] !== null)
  const [chosen, setChosen] = useState<View>("html")
  const view = mail[chosen] === null ? (available[0] ?? "source") : chosen
  const content = mail[view] ?? ""
  return (
    <Section
      title={t.content}
      actions={<Choice label={t.view} options={t.views} values={available} value={view} onChange={setChosen} />}
    >
      {view === "html" ? (
        <>
          <MailFrame title={t.views.html} html={content} isCaptured />
          <p className="field-help">{t.noRemoteImages}</p>
        </>
      ) : (
        <CodeBlock text={content} label={t.views[view]} />
      )}
    </Section>
  )
}
