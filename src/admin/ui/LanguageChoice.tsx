import { common } from "../texts/CommonTexts.ts"
import { type Language, languages, useLanguage, useTexts } from "../texts/Language.tsx"

/** Chooses the console's language. */
export const LanguageChoice = () => {
  const t = useTexts(common)
  const { language, choose } = useLanguage()
  const known = Object.entries(languages)
  const isKnown = (text: string): text is Language => Object.hasOwn(languages, text)
  return (
    <select
      className="small"
      aria-label={t.language}
      value={language}
      onChange={(event) => {
        if (isKnown(event.target.value)) choose(event.target.value)
      }}
    >
      {known.map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  )
}
