import { Check, Copy as CopyIcon } from "lucide-react"
import { useEffect, useState } from "react"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"

/** Copies a text to the clipboard. Also works on pages without https, where browsers have no clipboard API. */
export const copyText = async (text: string): Promise<void> => {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const area = document.createElement("textarea")
  area.value = text
  area.className = "visually-hidden"
  document.body.append(area)
  area.select()
  document.execCommand("copy")
  area.remove()
}

/** A button that copies a text. `label`: a name for the text. */
export const CopyButton = ({ text, label }: { readonly text: string; readonly label?: string }) => {
  const t = useTexts(common)
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  const name = copied ? t.copied : label === undefined ? t.copy : `${t.copy}: ${label}`
  return (
    <button
      type="button"
      className="button quiet icon small"
      aria-label={name}
      title={name}
      onClick={() => void copyText(text).then(() => setCopied(true))}
    >
      {copied ? <Check aria-hidden /> : <CopyIcon aria-hidden />}
    </button>
  )
}

/** An ID, a URL or another technical text, with a copy button. */
export const Code = ({ text, label }: { readonly text: string; readonly label?: string }) => (
  <span className="code-line">
    <code>{text}</code>
    <CopyButton text={text} {...(label === undefined ? {} : { label })} />
  </span>
)

/** Lines of code or output, with a copy button. */
export const CodeBlock = ({ text, label }: { readonly text: string; readonly label?: string }) => (
  <div className="code-block">
    <pre>
      <code>{text}</code>
    </pre>
    <CopyButton text={text} {...(label === undefined ? {} : { label })} />
  </div>
)
