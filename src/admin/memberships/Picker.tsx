import { Combobox, ComboboxItem, ComboboxPopover, ComboboxProvider } from "@ariakit/react"
import { useDeferredValue, useEffect, useRef, useState } from "react"
import type { Sallyport } from "#client/Sallyport"
import { useRead } from "../calls/Reads.ts"
import { useTexts } from "../texts/Language.tsx"
import { Field } from "../ui/Fields.tsx"
import { findOrgs, findUsers } from "./Search.ts"
import { membershipTexts } from "./Texts.ts"

/** A picked user or org. */
export interface Picked {
  readonly id: string
  readonly text: string
  readonly detail?: string
}

interface PickerProps {
  readonly name: string
  readonly label: string
  readonly picked: Picked | undefined
  readonly onPick: (picked: Picked | undefined) => void
  readonly isOptional?: boolean
}

interface FinderProps extends PickerProps {
  readonly placeholder: string
  readonly find: (sdk: Sallyport, text: string) => Promise<ReadonlyArray<Picked>>
}

const Finder = ({ name, label, picked, onPick, isOptional = false, placeholder, find }: FinderProps) => {
  const t = useTexts(membershipTexts)
  const [typed, setTyped] = useState("")
  const text = useDeferredValue(typed.trim())
  const found = useRead(["picker", name, text], (sdk) => find(sdk, text), { enabled: text !== "" })
  const frame = useRef<HTMLDivElement>(null)
  const isHandled = useRef(false)
  // The previously focused control is gone, so focus its replacement.
  useEffect(() => {
    if (isHandled.current) frame.current?.querySelector<HTMLElement>("input, button")?.focus()
    isHandled.current = false
  }, [picked])
  return (
    <div ref={frame}>
      <Field name={name} label={label} isOptional={isOptional}>
        {(control) =>
          picked === undefined ? (
            <ComboboxProvider value={typed} setValue={setTyped}>
              <Combobox {...control} autoSelect placeholder={placeholder} autoComplete="list" spellCheck={false} />
              {text === "" ? null : (
                <ComboboxPopover gutter={4} sameWidth className="menu picker-list" portal>
                  {found.data?.length === 0 ? <p className="menu-note">{t.nothingFound}</p> : null}
                  {found.data?.map((one) => (
                    <ComboboxItem
                      key={one.id}
                      value={one.text}
                      className="menu-item"
                      setValueOnClick={false}
                      onClick={() => {
                        setTyped("")
                        isHandled.current = true
                        onPick(one)
                      }}
                    >
                      <span>{one.text}</span>
                      <span className="faint">{one.detail}</span>
                    </ComboboxItem>
                  ))}
                </ComboboxPopover>
              )}
            </ComboboxProvider>
          ) : (
            <div className="picked">
              <span>
                {picked.text} <span className="faint">{picked.detail}</span>
              </span>
              <button
                {...control}
                type="button"
                className="button small"
                aria-label={`${t.change}: ${picked.text}`}
                onClick={() => {
                  isHandled.current = true
                  onPick(undefined)
                }}
              >
                {t.change}
              </button>
            </div>
          )
        }
      </Field>
    </div>
  )
}

/** Picks a user by search. */
export const UserPicker = (props: PickerProps) => (
  <Finder
    {...props}
    placeholder={useTexts(membershipTexts).findUser}
    find={async (sdk, text) =>
      (await findUsers(sdk, text)).items.map((user) => ({
        id: user.id,
        text: user.name,
        detail: user.email ?? user.id
      }))
    }
  />
)

/** Picks an org by search. */
export const OrgPicker = (props: PickerProps) => (
  <Finder
    {...props}
    placeholder={useTexts(membershipTexts).findOrg}
    find={async (sdk, text) =>
      (await findOrgs(sdk, text)).items.map((org) => ({ id: org.id, text: org.name, detail: org.reference ?? org.id }))
    }
  />
)
