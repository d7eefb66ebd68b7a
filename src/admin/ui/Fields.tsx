import { type ReactNode, useId } from "react"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { useFieldProblem } from "./Form.tsx"

interface FieldProps<V> {
  /** The API member that the field edits. Validation errors are matched by this name. */
  readonly name: string
  readonly label: string
  readonly help?: ReactNode
  readonly value: V
  readonly onChange: (value: V) => void
  readonly isOptional?: boolean
  readonly disabled?: boolean
}

/** The properties that connect a control to its help text and error. */
interface ControlProps {
  readonly id: string
  readonly name: string
  readonly "aria-invalid": boolean
  readonly "aria-describedby": string
  readonly disabled: boolean
}

interface FrameProps extends Omit<FieldProps<unknown>, "value" | "onChange"> {
  /** Whether the value is never stored in the browser. Default: false. */
  readonly isSecret?: boolean
  readonly children: (control: ControlProps) => ReactNode
}

/** The label, help text and error of a control. */
export const Field = ({ name, label, help, isOptional = false, disabled = false, isSecret, children }: FrameProps) => {
  const t = useTexts(common)
  const id = useId()
  const problem = useFieldProblem(name, isSecret)
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {isOptional ? <span className="faint"> ({t.optional})</span> : null}
      </label>
      {children({
        id,
        name,
        "aria-invalid": problem !== undefined,
        "aria-describedby": `${id}-problem ${id}-help`,
        disabled
      })}
      <p id={`${id}-problem`} className="field-problem">
        {problem}
      </p>
      <p id={`${id}-help`} className="field-help">
        {help}
      </p>
    </div>
  )
}

interface TextFieldProps extends FieldProps<string> {
  readonly type?: "text" | "email" | "url" | "password" | "number" | "search" | "datetime-local" | "color"
  readonly placeholder?: string
  /** Whether the text is technical, such as an ID, a URL or a pattern. */
  readonly isCode?: boolean
}

/** A single-line text field. */
export const TextField = ({
  type = "text",
  placeholder,
  isCode = false,
  value,
  onChange,
  ...field
}: TextFieldProps) => (
  <Field {...field} isSecret={type === "password"}>
    {(control) => (
      <input
        {...control}
        // Browsers change the domain in email inputs, so this uses a text input.
        type={type === "email" ? "text" : type}
        inputMode={type === "email" ? "email" : undefined}
        value={value}
        placeholder={placeholder}
        className={isCode ? "mono" : undefined}
        autoComplete={type === "password" ? "new-password" : "off"}
        spellCheck={!isCode && type === "text"}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
)

interface AreaProps extends FieldProps<string> {
  readonly rows?: number
  readonly placeholder?: string
  readonly isCode?: boolean
  /** Whether the text is a secret, such as a private key, which is never stored in the browser. */
  readonly isSecret?: boolean
}

/** A multi-line text field. */
export const TextArea = ({ rows = 4, placeholder, isCode = false, value, onChange, ...field }: AreaProps) => (
  <Field {...field}>
    {(control) => (
      <textarea
        {...control}
        rows={rows}
        value={value}
        placeholder={placeholder}
        className={isCode ? "mono" : undefined}
        spellCheck={!isCode}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
)

/** A selectable value with its label. */
export interface Option<V extends string> {
  readonly value: V
  readonly text: string
}

interface SelectProps<V extends string> extends FieldProps<V> {
  readonly options: ReadonlyArray<Option<V>>
}

/** A select with a fixed set of values. */
export const Select = <V extends string>({ options, value, onChange, ...field }: SelectProps<V>) => (
  <Field {...field}>
    {(control) => (
      <select
        {...control}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value)
          if (chosen !== undefined) onChange(chosen.value)
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    )}
  </Field>
)

/** An on/off switch. */
export const Switch = ({ name, label, help, value, onChange, disabled = false }: FieldProps<boolean>) => {
  const id = useId()
  const problem = useFieldProblem(name)
  return (
    <div className="field switch">
      <input
        id={id}
        name={name}
        type="checkbox"
        role="switch"
        checked={value}
        disabled={disabled}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem ${id}-help`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      <p id={`${id}-problem`} className="field-problem">
        {problem}
      </p>
      <p id={`${id}-help`} className="field-help">
        {help}
      </p>
    </div>
  )
}

interface ChecksProps<V extends string> extends FieldProps<ReadonlyArray<V>> {
  readonly options: ReadonlyArray<Option<V>>
}

/** A group of checkboxes. */
export const Checks = <V extends string>({ name, label, help, options, value, onChange, disabled }: ChecksProps<V>) => {
  const id = useId()
  const problem = useFieldProblem(name)
  return (
    <fieldset className="field checks" aria-describedby={`${id}-problem ${id}-help`}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="checkbox"
            name={name}
            checked={value.includes(option.value)}
            disabled={disabled}
            aria-invalid={problem !== undefined}
            onChange={(event) =>
              onChange(event.target.checked ? [...value, option.value] : value.filter((one) => one !== option.value))
            }
          />
          {option.text}
        </label>
      ))}
      <p id={`${id}-problem`} className="field-problem">
        {problem}
      </p>
      <p id={`${id}-help`} className="field-help">
        {help}
      </p>
    </fieldset>
  )
}

interface LinesProps extends FieldProps<ReadonlyArray<string>> {
  readonly placeholder?: string
}

/** A list of texts, one per line. */
export const Lines = ({ value, onChange, ...field }: LinesProps) => (
  <TextArea
    {...field}
    isCode
    rows={Math.max(2, Math.min(8, value.length + 1))}
    value={value.join("\n")}
    onChange={(text) => onChange(text === "" ? [] : text.split("\n"))}
  />
)
