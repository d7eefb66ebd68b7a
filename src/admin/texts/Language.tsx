import { createContext, type ReactNode, useContext, useEffect, useState } from "react"
import type { Locale } from "#domain/Locale"
import { storedPreference, storePreference } from "./Preferences.ts"

/** The console's languages, which are the service's languages. */
export const languages = { en: "English", es: "Español" } as const satisfies Readonly<Record<Locale, string>>

export type Language = Locale

/** The same texts in each language. */
export type Catalogue<T> = Readonly<Record<Language, T>>

/** Declares texts in each language. The English texts define the keys. */
export const catalogue = <T,>(texts: Catalogue<T>): Catalogue<T> => texts

const isLanguage = (text: string | undefined): text is Language => text !== undefined && Object.hasOwn(languages, text)

/** The language chosen earlier, or else the browser's, or else English. */
const firstLanguage = (): Language => {
  const chosen = storedPreference("language")
  if (isLanguage(chosen)) return chosen
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? "en"
}

interface Chosen {
  readonly language: Language
  readonly choose: (language: Language) => void
}

const LanguageContext = createContext<Chosen>({ language: "en", choose: () => {} })

/** Provides the user's language to its children. */
export const LanguageProvider = ({ children }: { readonly children: ReactNode }) => {
  const [language, setLanguage] = useState(firstLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const choose = (next: Language) => {
    storePreference("language", next)
    setLanguage(next)
  }
  return <LanguageContext value={{ language, choose }}>{children}</LanguageContext>
}

export const useLanguage = (): Chosen => useContext(LanguageContext)

/** Returns a catalogue's texts in the user's language. */
export const useTexts = <T,>(texts: Catalogue<T>): T => texts[useLanguage().language]
