import type { ReactNode } from "react"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Fields.tsx"
import { appTexts } from "./Texts.ts"

interface ColorFieldProps {
  readonly name: string
  readonly label: string
  readonly help: string
  /** `#rrggbb`, or any text while the user types. Blank for no color. */
  readonly value: string
  /** The initial color of the picker if `value` is blank. */
  readonly otherwise: string
  readonly onChange: (value: string) => void
  /** Notes about the color. */
  readonly children?: ReactNode
}

/** A color field with a picker and a text input. */
export const ColorField = ({ name, label, help, value, otherwise, onChange, children }: ColorFieldProps) => {
  const t = useTexts(appTexts)
  return (
    <div>
      <Field name={name} label={label} help={help} isOptional>
        {(control) => (
          <div className="row color-row">
            <input
              type="color"
              aria-label={label}
              value={/^#[\da-f]{6}$/i.test(value) ? value : otherwise}
              onChange={(event) => onChange(event.target.value)}
            />
            <input
              {...control}
              type="text"
              className="mono"
              placeholder={otherwise}
              value={value}
              onChange={(event) => onChange(event.target.value)}
            />
            {value === "" ? null : (
              <Button small kind="quiet" onClick={() => onChange("")}>
                {t.clear}
              </Button>
            )}
          </div>
        )}
      </Field>
      {children}
    </div>
  )
}
