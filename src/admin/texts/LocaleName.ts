/** The name of a locale in a language. Returns undefined for an invalid tag, for which `Intl` throws. */
const knownName = (tag: string, language: string): string | undefined => {
  try {
    return new Intl.DisplayNames(language, { type: "language" }).of(tag)
  } catch {
    return undefined
  }
}

/** The display name of a locale in the user's language, for example "Spanish (es)". */
export const localeName = (tag: string, language: string): string => {
  const name = knownName(tag, language) ?? tag
  return name === tag ? tag : `${name.charAt(0).toLocaleUpperCase(language)}${name.slice(1)} (${tag})`
}
