import { PageHeader } from "../ui/PageHeader.tsx"

export const ClockPage = () => <PageHeader title="ClockPage" />
