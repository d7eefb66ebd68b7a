import { Search } from "lucide-react"
import { useEffect, useState } from "react"

interface SearchFieldProps {
  readonly label: string
  readonly placeholder?: string
  readonly value: string
  /** Called with the text after a pause in typing. */
  readonly onSearch: (text: string) => void
}

/** The pause in typing before a search, in milliseconds. */
const PAUSE = 200

/** A field that searches while the user types. */
export const SearchField = ({ label, placeholder, value, onSearch }: SearchFieldProps) => {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onSearch(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text, value, onSearch])
  return (
    <div className="search">
      <Search aria-hidden />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder ?? label}
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  )
}
