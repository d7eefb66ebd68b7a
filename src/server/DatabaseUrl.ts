/** What a URL of PostgreSQL looks like: one `@` at most, and no `/`, `:`, `?` or `#` that would end a part too early. */
const FORM = /^postgres(?:ql)?:\/\/(?:[^@/?#]*@)?[^@/?#]*(?:\/[^@/:?#]*)?(?:\?[^@#]*)?$/

const isPercentEncoded = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== ""
  } catch {
    return false
  }
}

/** Why a URL is no database's, in one sentence that repeats nothing of it; undefined if it may be one. */
export const databaseUrlProblem = (url: string): string | undefined => {
  if (!/^postgres(?:ql)?:\/\//.test(url)) return "DATABASE_URL must start with postgres://, or be memory://."
  if (FORM.test(url) && isPercentEncoded(url) && URL.canParse(url)) return undefined
  return "DATABASE_URL must be postgres://user:password@host:5432/name. In the user name and the password, write % as %25, @ as %40, : as %3A, / as %2F, ? as %3F and # as %23."
}
