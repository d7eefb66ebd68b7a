import { PageHeader } from "../ui/PageHeader.tsx"

export const EventsPage = () => <PageHeader title="EventsPage" />
