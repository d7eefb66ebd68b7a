import { PageHeader } from "../ui/PageHeader.tsx"

export const MessagePage = () => <PageHeader title="MessagePage" />
