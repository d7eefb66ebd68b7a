/** What a locale is called in the reader's language: "Spanish (es)". */
export const localeName = (tag: string, language: string): string => {
  const name = new Intl.DisplayNames(language, { type: "language" }).of(tag) ?? tag
  return name === tag ? tag : `${name.charAt(0).toLocaleUpperCase(language)}${name.slice(1)} (${tag})`
}
