// Matches a piece of SQL in which a semicolon does not end a statement, or else a single character.
const TOKEN =
  /--[^\n]*|\/\*|\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$|\b[eE]'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|[\w\u0080-\uffff]+(?:\$[\w$\u0080-\uffff]*)?|[^]/giy

const COMMENT = /^(?:--|\/\*)/

/**
 * Splits SQL text into statements and drops the comments between them. It supports quotes, dollar quotes and nested
 * comments, but not `begin atomic` bodies, so put these in dollar quotes.
 */
export const splitStatements = (text: string): ReadonlyArray<string> => {
  const statements: Array<string> = []
  let from = 0
  let blank = true
  const end = (at: number) => {
    if (!blank) statements.push(text.slice(from, at).trim())
    blank = true
  }
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex
    const found = TOKEN.exec(text)?.[0] ?? ""
    if (found === ";") end(at)
    else if (found === "/*") TOKEN.lastIndex = commentEnd(text, at)
    else if (/^\$.*\$$/s.test(found)) TOKEN.lastIndex = dollarEnd(text, at, found)
    if (found === ";" || COMMENT.test(found) || found.trim() === "") continue
    if (blank) from = at
    blank = false
  }
  end(text.length)
  return statements
}

const dollarEnd = (text: string, at: number, tag: string): number => {
  const close = text.indexOf(tag, at + tag.length)
  return close < 0 ? text.length : close + tag.length
}

const commentEnd = (text: string, at: number): number => {
  const delimiter = /\/\*|\*\//g
  delimiter.lastIndex = at
  let depth = 0
  for (let found = delimiter.exec(text); found !== null; found = delimiter.exec(text)) {
    depth += found[0] === "/*" ? 1 : -1
    if (depth === 0) return delimiter.lastIndex
  }
  return text.length
}
