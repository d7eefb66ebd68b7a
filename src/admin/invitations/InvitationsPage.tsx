import { PageHeader } from "../ui/PageHeader.tsx"

export const InvitationsPage = () => <PageHeader title="InvitationsPage" />
