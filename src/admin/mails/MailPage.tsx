import { PageHeader } from "../ui/PageHeader.tsx"

export const MailPage = () => <PageHeader title="MailPage" />
