import { Check, Copy as CopyIcon } from "lucide-react"
import { useEffect, useState } from "react"
import { useTexts } from "../texts/Language.tsx"
import { common } from "../texts/Wording.ts"

/** Puts a text on the clipboard; also where the page isn't served over https, in which browsers have no clipboard to write to. */
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

/** A button that copies a text. `label`: what is copied. */
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

/** An ID, a URL or another text for programs, with a button that copies it. */
export const Code = ({ text, label }: { readonly text: string; readonly label?: string }) => (
  <span className="code-line">
    <code>{text}</code>
    <CopyButton text={text} {...(label === undefined ? {} : { label })} />
  </span>
)

/** Lines of a program or of a message, with a button that copies them. */
export const CodeBlock = ({ text, label }: { readonly text: string; readonly label?: string }) => (
  <div className="code-block">
    <pre>
      <code>{text}</code>
    </pre>
    <CopyButton text={text} {...(label === undefined ? {} : { label })} />
  </div>
)
