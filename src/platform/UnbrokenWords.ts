/** Elements whose text stays unchanged: names that programs look for, and text that people copy. */
const verbatim: ReadonlySet<string> = new Set(["a", "button", "code", "h1", "h2", "label", "option", "pre", "summary"])

const tag = /(<[^<>]*>)/

const startTag = /^<([a-z0-9]+)/

/** Replaces the hyphen of “e-mail” in sentences with a non-breaking one, so that no line ends within the word. */
export const unbroken = (markup: string): string => {
  let element = ""
  return markup
    .split(tag)
    .map((part) => {
      if (!part.startsWith("<"))
        return verbatim.has(element) ? part : part.replaceAll(/\b([Ee])-mail/g, "$1&#8209;mail")
      element = startTag.exec(part)?.[1] ?? ""
      return part
    })
    .join("")
}
