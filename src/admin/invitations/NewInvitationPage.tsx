import { PageHeader } from "../ui/PageHeader.tsx"

export const NewInvitationPage = () => <PageHeader title="NewInvitationPage" />
