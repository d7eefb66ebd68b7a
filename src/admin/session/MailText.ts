import { useSession } from "./SessionState.tsx"

/** A text about emails, for services that send them and for those that keep them in their mailbox. */
export interface MailText<T> {
  readonly sent: T
  readonly kept: T
}

/** Returns a function that chooses the variant of a text about emails. Only a service that sends emails says that it did. */
export const useMailText = (): (<T>(text: MailText<T>) => T) => {
  const { session } = useSession()
  return (text) => (session.service.mailbox ? text.kept : text.sent)
}
