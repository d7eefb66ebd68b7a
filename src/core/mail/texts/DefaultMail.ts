/** The subject and Markdown body of an email. */
export interface DefaultMail {
  readonly subject: string
  readonly template: string
}
