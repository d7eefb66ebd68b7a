/** Elements whose text stays as it is: names that programs look for, and what people copy. */
const verbatim: ReadonlySet<string> = new Set(["a", "button", "code", "h1", "h2", "label", "option", "pre", "summary"])

const tag = /(<[^<>]*>)/

const startTag = /^<([a-z0-9]+)/

/** Markup in whose sentences no line ends within “e-mail”: its hyphen is one that does not break. */
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
