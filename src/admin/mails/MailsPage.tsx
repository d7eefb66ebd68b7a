import { PageHeader } from "../ui/PageHeader.tsx"

export const MailsPage = () => <PageHeader title="MailsPage" />
