import { useId } from "react"
import type { Custom } from "#client/generated/types/Custom"
import { parseJson } from "#domain/ExactJson"
import { useTexts } from "../texts/Language.tsx"
import { common } from "../texts/Wording.ts"
import { useFieldProblem } from "./Form.tsx"

/** Custom attributes as text to edit. */
export const customText = (custom: Custom): string =>
  Object.keys(custom).length === 0 ? "" : JSON.stringify(custom, null, 2)

/** The attributes in a text; none in an empty one, undefined where it is no JSON object. */
export const parseCustom = (text: string): Custom | undefined => {
  if (text.trim() === "") return {}
  try {
    const value = parseJson(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

interface CustomFieldProps {
  readonly value: string
  readonly onChange: (text: string) => void
  readonly disabled?: boolean
}

/** Your own attributes of something, as JSON. A form with a text that `parseCustom` refuses should not be sent. */
export const CustomField = ({ value, onChange, disabled = false }: CustomFieldProps) => {
  const t = useTexts(common)
  const id = useId()
  const refused = useFieldProblem("custom")
  const problem = parseCustom(value) === undefined ? t.customProblem : refused
  return (
    <div className="field">
      <label htmlFor={id}>{t.custom}</label>
      <textarea
        id={id}
        name="custom"
        className="mono"
        rows={Math.max(3, Math.min(14, value.split("\n").length + 1))}
        spellCheck={false}
        value={value}
        disabled={disabled}
        placeholder={'{ "plan": "pro" }'}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem ${id}-help`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-problem`} className="field-problem">
        {problem}
      </p>
      <p id={`${id}-help`} className="field-help">
        {t.customHelp}
      </p>
    </div>
  )
}
