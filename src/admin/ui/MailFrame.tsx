import { useState } from "react"
import { withTheme } from "#domain/FixedTheme"
import { type Look, LookChoice } from "./Look.tsx"
import { PreviewFrame } from "./PreviewFrame.tsx"

const sizes = { desktop: { width: 720, height: 640 }, phone: { width: 390, height: 700 } } as const

interface MailFrameProps {
  readonly title: string
  readonly html: string
  /** Whether the email was captured, so that it must not load remote images. */
  readonly isCaptured?: boolean
}

/** An email as its recipient sees it, with a choice of theme and width. */
export const MailFrame = ({ title, html, isCaptured = false }: MailFrameProps) => {
  const [look, setLook] = useState<Look>(() => ({
    theme: "light",
    width: innerWidth < sizes.desktop.width ? "phone" : "desktop"
  }))
  return (
    <div>
      <div className="preview-looks">
        <LookChoice look={look} onChange={setLook} />
      </div>
      <PreviewFrame title={title} html={withTheme(html, look.theme)} isMail={isCaptured} {...sizes[look.width]} />
    </div>
  )
}
