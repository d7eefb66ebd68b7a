import { useId } from "react"
import type { Custom } from "#client/generated/types/Custom"
import { parseJson } from "#domain/ExactJson"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { useFieldProblem } from "./Form.tsx"

/** Formats custom attributes as text for editing. */
export const customText = (custom: Custom): string =>
  Object.keys(custom).length === 0 ? "" : JSON.stringify(custom, null, 2)

/**
 * Parses custom attributes. An empty text is parsed as an empty object. Returns undefined if the text isn't a JSON
 * object.
 */
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

/** A field for custom attributes as JSON. Forms must not be submitted while `parseCustom` returns undefined. */
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
