import { useRead } from "../calls/Reads.ts"

/** The name of a connected app or OAuth client. */
export const useAppName = (id: string): string =>
  useRead(["client_apps", id], (sdk) => sdk.clientApps.get(id)).data?.name ?? id

export const AppName = ({ id }: { readonly id: string }) => <span>{useAppName(id)}</span>
