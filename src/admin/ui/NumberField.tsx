import { type ReactNode, useState } from "react"
import { Field } from "./Fields.tsx"

interface NumberFieldProps {
  readonly name: string
  readonly label: string
  readonly help?: ReactNode
  readonly value: number | null
  /** Called with null for an empty field, and with NaN for an invalid number, which remains in the field. */
  readonly onChange: (value: number | null) => void
  readonly min?: number
  readonly placeholder?: string
  readonly disabled?: boolean
  readonly isOptional?: boolean
}

const textOf = (value: number | null): string => (value === null || Number.isNaN(value) ? "" : String(value))

/** A field for whole numbers. */
export const NumberField = ({ value, onChange, min = 0, placeholder, ...field }: NumberFieldProps) => {
  const [text, setText] = useState(textOf(value))
  const shown =
    value !== null && Number.isNaN(value) ? text : Number(text) === value && text !== "" ? text : textOf(value)
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type="number"
          inputMode="numeric"
          min={min}
          step={1}
          value={shown}
          placeholder={placeholder}
          className="number"
          onChange={(event) => {
            setText(event.target.value)
            onChange(event.target.value === "" ? null : Number(event.target.value))
          }}
        />
      )}
    </Field>
  )
}
