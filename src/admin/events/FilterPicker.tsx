import { Combobox, ComboboxItem, ComboboxPopover, ComboboxProvider } from "@ariakit/react"
import { X } from "lucide-react"
import { useDeferredValue, useEffect, useRef, useState } from "react"
import type { Sallyport } from "#client/Sallyport"
import { useRead } from "../calls/Reads.ts"
import { useTexts } from "../texts/Language.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { eventTexts } from "./Texts.ts"

/** Something that events can be filtered by. */
export interface Found {
  readonly id: string
  readonly name: string
  readonly detail?: string | undefined
}

interface FilterPickerProps {
  /** What is picked, such as "User". */
  readonly label: string
  /** The picked ID, or blank. */
  readonly value: string
  readonly onPick: (id: string) => void
  readonly find: (sdk: Sallyport, text: string) => Promise<ReadonlyArray<Found>>
  /** Reads the name of an ID from the URL. */
  readonly nameOf: (sdk: Sallyport, id: string) => Promise<string>
}

/** A filter that is searched by name. A picked value is shown as a button that removes it. */
export const FilterPicker = ({ label, value, onPick, find, nameOf }: FilterPickerProps) => {
  const t = useTexts(eventTexts)
  const [typed, setTyped] = useState("")
  const text = useDeferredValue(typed.trim())
  const found = useRead(["filter", label, text], (sdk) => find(sdk, text), { enabled: text !== "" })
  const name = useRead(["filter name", label, value], (sdk) => nameOf(sdk, value), { enabled: value !== "" })
  const frame = useRef<HTMLDivElement>(null)
  const isHandled = useRef(false)
  // The previously focused control is gone, so focus its replacement.
  useEffect(() => {
    if (isHandled.current) frame.current?.querySelector<HTMLElement>("input, button")?.focus()
    isHandled.current = false
  }, [value])
  const pick = (id: string) => {
    isHandled.current = true
    setTyped("")
    onPick(id)
  }
  if (value !== "")
    return (
      <div ref={frame}>
        <button
          type="button"
          className="filter-chip"
          title={value}
          aria-label={`${label} ${name.data ?? value}: ${t.removeFilter}`}
          onClick={() => pick("")}
        >
          <span className="faint">{label}</span>
          <span className="filter-value">{name.data ?? value}</span>
          <X aria-hidden />
        </button>
      </div>
    )
  return (
    <div ref={frame} className="filter-picker">
      <ComboboxProvider value={typed} setValue={setTyped}>
        <Combobox aria-label={label} placeholder={label} autoSelect autoComplete="list" spellCheck={false} />
        {text === "" ? null : (
          <ComboboxPopover gutter={4} className="menu picker-list" portal>
            <ProblemNote error={found.error} />
            {found.data?.length === 0 ? <p className="menu-note">{t.nothingFound}</p> : null}
            {found.data?.map((one) => (
              <ComboboxItem
                key={one.id}
                value={one.name}
                className="menu-item"
                setValueOnClick={false}
                onClick={() => pick(one.id)}
              >
                <span>{one.name}</span>
                <span className="faint">{one.detail}</span>
              </ComboboxItem>
            ))}
          </ComboboxPopover>
        )}
      </ComboboxProvider>
    </div>
  )
}
