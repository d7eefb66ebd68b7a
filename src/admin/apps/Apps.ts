import { useEffect } from "react"
import type { ConnectedAppItem } from "#client/generated/types/ConnectedAppItem"
import { useList } from "../calls/Reads.ts"

/**
 * Lists either the connected apps or the OAuth clients of a realm. The API lists both together, so pages without a
 * match are skipped.
 */
export const useApps = (kind: "apps" | "clients") => {
  const list = useList<ConnectedAppItem>(["client_apps"], (sdk, page) => sdk.clientApps.list(page))
  const items = list.items?.filter(({ client_type }) => (client_type === "standard") === (kind === "apps"))
  const isSkipped = items?.length === 0 && list.more
  const { isLoadingMore, loadMore } = list
  useEffect(() => {
    if (isSkipped && !isLoadingMore) loadMore()
  }, [isSkipped, isLoadingMore, loadMore])
  return { ...list, items: isSkipped ? undefined : items }
}
