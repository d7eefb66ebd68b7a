import { PageHeader } from "../ui/PageHeader.tsx"

export const EventPage = () => <PageHeader title="EventPage" />
