import { createContext, type ReactNode, useContext, useState } from "react"
import { flushSync } from "react-dom"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { realmTexts } from "./Texts.ts"

/** The text that settings are searched for, in lower case. Blank to show all. */
const SearchContext = createContext("")

/** Whether a text contains what the page is searched for. */
export const useIsFound = (...texts: ReadonlyArray<string>): boolean => {
  const search = useContext(SearchContext)
  return texts.some((text) => text.toLocaleLowerCase().includes(search))
}

interface PartProps {
  readonly id: string
  /** The text that a search finds. Parts without it are shown as long as a setting in them is found. */
  readonly found?: string
  readonly children: ReactNode
}

/** A part of a long page, to which the navigation scrolls. Its forms keep their values while a search hides them. */
export const Part = ({ id, found, children }: PartProps) => {
  const isFound = useIsFound(found ?? "")
  return (
    <div id={id} className={found === undefined ? "part by-settings" : "part"} hidden={found !== undefined && !isFound}>
      {children}
    </div>
  )
}

interface PartsProps {
  /** The parts, in the order of the page. */
  readonly parts: ReadonlyArray<{ readonly id: string; readonly text: string }>
  readonly children: ReactNode
}

/** A long page of settings with buttons that scroll to its parts, and a search. */
export const Parts = ({ parts, children }: PartsProps) => {
  const t = useTexts(realmTexts)
  const c = useTexts(common)
  const [search, setSearch] = useState("")
  return (
    <SearchContext value={search.trim().toLocaleLowerCase()}>
      <div className={search.trim() === "" ? "parts" : "parts searched"}>
        <div className="parts-side">
          <SearchField label={t.searchSettings} placeholder={c.search} value={search} onSearch={setSearch} />
          <nav aria-label={t.onThisPage}>
            <ul>
              {parts.map(({ id, text }) => (
                <li key={id}>
                  <button
                    type="button"
                    onClick={() => {
                      // A search may have hidden the part.
                      flushSync(() => setSearch(""))
                      document.getElementById(id)?.scrollIntoView()
                    }}
                  >
                    {text}
                  </button>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <div className="parts-main">
          {children}
          <p className="faint nothing-found">{t.noSettingFound}</p>
        </div>
      </div>
    </SearchContext>
  )
}

interface DifferenceProps {
  /** The default, as shown. */
  readonly standard: string
  readonly onReset: (() => void) | undefined
}

/** Says that a setting differs from its default, and offers to reset it. */
export const Difference = ({ standard, onReset }: DifferenceProps) => {
  const t = useTexts(realmTexts)
  return (
    <p className="difference">
      <span>{t.differs(standard)}</span>
      {onReset === undefined ? null : (
        <button type="button" className="link-button" onClick={onReset}>
          {t.resetToDefault}
        </button>
      )}
    </p>
  )
}
