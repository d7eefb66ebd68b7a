/** Characters that XML 1.0 doesn't allow. Lone surrogates are not allowed either, but can't occur in decoded UTF-8. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u

/** Returns whether a text has characters that XML doesn't allow. */
export const hasForbiddenCharacters = (text: string): boolean => FORBIDDEN.test(text)

const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\dA-Fa-f]{1,6}));|&/g

const predefined: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

/**
 * Replaces the five predefined entities and character references. Returns undefined if a text has another entity, or a reference to
 * a character that XML doesn't allow.
 */
export const decodeReferences = (text: string): string | undefined => {
  if (!text.includes("&")) return text
  let isValid = true
  const decoded = text.replace(REFERENCE, (_all, name?: string, decimal?: string, hexadecimal?: string) => {
    if (name !== undefined) return predefined[name] ?? ""
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal)
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : ""
    if (character === "" || hasForbiddenCharacters(character)) isValid = false
    return character
  })
  return isValid ? decoded : undefined
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#x9;",
  "\n": "&#xA;",
  "\r": "&#xD;"
}

/** Escapes a text for an element or for an attribute in double quotes. */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"\t\n\r]/g, (character) => escapes[character] ?? "")
