/** What a language calls a locale; undefined for what is none, which would end the page that asks. */
const knownName = (tag: string, language: string): string | undefined => {
  try {
    return new Intl.DisplayNames(language, { type: "language" }).of(tag)
  } catch {
    return undefined
  }
}

/** What a locale is called in the reader's language: "Spanish (es)". */
export const localeName = (tag: string, language: string): string => {
  const name = knownName(tag, language) ?? tag
  return name === tag ? tag : `${name.charAt(0).toLocaleUpperCase(language)}${name.slice(1)} (${tag})`
}
