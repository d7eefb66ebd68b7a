import { PageHeader } from "../ui/PageHeader.tsx"

export const JwtKeysPage = () => <PageHeader title="JwtKeysPage" />
