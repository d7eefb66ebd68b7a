// The mail thread loads this file at every start: keep its imports few.
import type { ExternalType } from "./AuthProvider.ts"
import type { CredentialType } from "./Credential.ts"

/** The login method changes that trigger an email to the user (C152). */
export const accountNotices = [
  "password_changed",
  "password_reset",
  "passkey_added",
  "passkey_removed",
  "second_factor_added",
  "second_factor_removed",
  "recovery_codes_created",
  "provider_linked",
  "provider_unlinked"
] as const

export type AccountNotice = (typeof accountNotices)[number]

/** The name of the default email about a change. */
export type AccountMail = `account.${AccountNotice}`

/** The default email about a change. */
export const accountMail = (notice: AccountNotice): AccountMail => `account.${notice}`

/** The default emails about changes of login methods. */
export const accountMails: ReadonlyArray<AccountMail> = accountNotices.map(accountMail)

/** Returns whether a default email is about a change of login methods. */
export const isAccountMail = (name: string): name is AccountMail => accountMails.some((mail) => mail === name)

type Change = "added" | "removed"

type NoticesByChange = Partial<Readonly<Record<Change, AccountNotice>>>

const linkNotices: NoticesByChange = { added: "provider_linked", removed: "provider_unlinked" }

/** The notice sent when a credential is added or removed. API keys have none, because API users have no mailbox. */
const notices: Readonly<Partial<Record<CredentialType, NoticesByChange>>> = {
  api_key: {},
  password: { added: "password_changed" },
  totp: { added: "second_factor_added", removed: "second_factor_removed" },
  recovery_codes: { added: "recovery_codes_created" },
  passkey: { added: "passkey_added", removed: "passkey_removed" }
} satisfies Readonly<Record<Exclude<CredentialType, ExternalType>, NoticesByChange>>

/** The notice to send when a credential changes, or undefined if none is sent. */
export const noticeOf = (type: CredentialType, change: Change): AccountNotice | undefined =>
  (notices[type] ?? linkNotices)[change]
