import { PageHeader } from "../ui/PageHeader.tsx"

export const MailboxPage = () => <PageHeader title="MailboxPage" />
