/** The subject and markdown body of a mail. */
export interface DefaultMail {
  readonly subject: string
  readonly template: string
}
