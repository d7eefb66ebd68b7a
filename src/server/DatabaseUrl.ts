/** What a URL of PostgreSQL looks like: one `@` at most, and no `/`, `:`, `?` or `#` that would end a part too early. */
const FORM = /^postgres(?:ql)?:\/\/(?:[^@/?#]*@)?[^@/?#]*(?:\/[^@/:?#]*)?(?:\?[^@#]*)?$/

const isPercentEncoded = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== ""
  } catch {
    return false
  }
}

/**
 * Why the URL in a setting is no database's, in one sentence that repeats nothing of it; undefined if it may be one. `otherwise`:
 * what the setting may be instead, to be said of one that is nothing of both.
 */
export const databaseUrlProblem = (name: string, url: string, otherwise = ""): string | undefined => {
  if (!/^postgres(?:ql)?:\/\//.test(url)) return `${name} must start with postgres://${otherwise}.`
  if (FORM.test(url) && isPercentEncoded(url) && URL.canParse(url)) return undefined
  return `${name} must be postgres://user:password@host:5432/name. In the user name and the password, write % as %25, @ as %40, : as %3A, / as %2F, ? as %3F and # as %23.`
}
