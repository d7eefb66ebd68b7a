import { useState } from "react"
import { eventTypes } from "../events/EventTypes.ts"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { hookTexts } from "./Texts.ts"

interface EventTypesFieldProps {
  readonly value: ReadonlyArray<string>
  readonly onChange: (value: ReadonlyArray<string>) => void
  readonly disabled?: boolean
}

/** Chooses the event types of a hook. None selected means all. */
export const EventTypesField = ({ value, onChange, disabled = false }: EventTypesFieldProps) => {
  const t = useTexts(hookTexts)
  const { search } = useTexts(common)
  const [typed, setTyped] = useState("")
  // Chosen types come first. They stay in place while the user checks and unchecks them.
  const [first] = useState(value)
  const known = [...new Set([...first, ...eventTypes, ...value])]
  return (
    <fieldset className="field">
      <legend>
        {t.events}: {value.length === 0 ? t.allEvents : t.chosen(value.length)}
      </legend>
      <input
        type="search"
        aria-label={`${search}: ${t.events}`}
        placeholder={search}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <div className="check-list">
        {known
          .filter((type) => type.includes(typed.trim().toLowerCase()))
          .map((type) => (
            <label key={type}>
              <input
                type="checkbox"
                name="event_type"
                checked={value.includes(type)}
                disabled={disabled}
                onChange={({ target }) =>
                  onChange(target.checked ? [...value, type] : value.filter((one) => one !== type))
                }
              />
              <code>{type}</code>
            </label>
          ))}
      </div>
      <p className="field-help">{t.eventsHelp}</p>
    </fieldset>
  )
}
