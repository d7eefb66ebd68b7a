import { useState } from "react"
import type { Message } from "#client/generated/types/Message"
import { withTheme } from "#domain/FixedTheme"
import type { ThemeName } from "#domain/PageThemes"
import { useTexts } from "../texts/Language.tsx"
import { Choice } from "../ui/Choice.tsx"
import { CodeBlock } from "../ui/Copy.tsx"
import { PreviewFrame } from "../ui/PreviewFrame.tsx"
import { Section } from "../ui/Section.tsx"
import { mailboxTexts } from "./Texts.ts"

const views = ["html", "text", "source"] as const

type View = (typeof views)[number]

const sizes = { desktop: { width: 720, height: 640 }, phone: { width: 390, height: 700 } } as const

type Size = keyof typeof sizes

/** An email as its recipient sees it, as plain text, or as source. */
export const MailView = ({ mail }: { readonly mail: Message }) => {
  const t = useTexts(mailboxTexts)
  const available = views.filter((view) => mail[view] !== null)
  const [chosen, setChosen] = useState<View>("html")
  const [size, setSize] = useState<Size>("desktop")
  const [theme, setTheme] = useState<ThemeName>("light")
  const view = mail[chosen] === null ? (available[0] ?? "source") : chosen
  const content = mail[view] ?? ""
  return (
    <Section
      title={t.content}
      actions={<Choice label={t.view} options={t.views} values={available} value={view} onChange={setChosen} />}
    >
      {view === "html" ? (
        <>
          <div className="preview-looks">
            <Choice label={t.width} options={t.widths} values={["desktop", "phone"]} value={size} onChange={setSize} />
            <Choice label={t.theme} options={t.themes} values={["light", "dark"]} value={theme} onChange={setTheme} />
          </div>
          <PreviewFrame title={t.views.html} html={withTheme(content, theme)} isMail {...sizes[size]} />
          <p className="field-help">{t.noRemoteImages}</p>
        </>
      ) : (
        <CodeBlock text={content} label={t.views[view]} />
      )}
    </Section>
  )
}
