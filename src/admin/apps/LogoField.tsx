import { type ReactNode, useId, useRef, useState } from "react"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { useFieldProblem } from "../ui/Form.tsx"
import type { LogoChange } from "./BrandValues.ts"
import { appTexts } from "./Texts.ts"

/** The maximum size of a logo, in bytes. */
const MAX_LOGO_BYTES = 65_536

interface LogoFieldProps {
  readonly name: string
  readonly label: string
  readonly help: string
  /** Whether a logo is currently saved. */
  readonly isSaved: boolean
  /** The saved logo as a data URL, or undefined while it is loading. */
  readonly saved: string | undefined
  readonly value: LogoChange
  readonly onChange: (value: LogoChange) => void
  /** Notes about the logo. */
  readonly children?: ReactNode
}

const dataUrlOf = (file: File): Promise<string | undefined> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : undefined)
    reader.onerror = () => resolve(undefined)
    reader.readAsDataURL(file)
  })

/** A field to choose or remove a logo. */
export const LogoField = ({ name, label, help, isSaved, saved, value, onChange, children }: LogoFieldProps) => {
  const t = useTexts(appTexts)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [own, setOwn] = useState<string | undefined>()
  const problem = useFieldProblem(name) ?? own
  const has = value === undefined ? isSaved : value !== null
  const shown = [value ?? saved].find((url) => url?.startsWith("data:image/"))
  const choose = async (file: File | undefined) => {
    if (file === undefined) return
    setOwn(file.size > MAX_LOGO_BYTES ? t.tooLarge : undefined)
    if (file.size <= MAX_LOGO_BYTES) onChange(await dataUrlOf(file))
    if (input.current !== null) input.current.value = ""
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="row">
        {has && shown !== undefined ? (
          <span className="logo-now">
            <img src={shown} alt={t.current} />
          </span>
        ) : null}
        <input
          ref={input}
          id={id}
          type="file"
          accept="image/png,image/svg+xml"
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-problem ${id}-help`}
          onChange={(event) => void choose(event.target.files?.[0])}
        />
        {has ? (
          <Button small onClick={() => onChange(isSaved ? null : undefined)}>
            {t.remove}
          </Button>
        ) : null}
      </div>
      <p id={`${id}-problem`} className="field-problem">
        {problem}
      </p>
      <p id={`${id}-help`} className="field-help">
        {help}
      </p>
      {children}
    </div>
  )
}
