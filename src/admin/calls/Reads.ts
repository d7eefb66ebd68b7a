import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query"
import type { List } from "#client/List"
import type { Sallyport } from "#client/Sallyport"
import { useScope } from "./Scope.tsx"

/** Identifies a read, such as `["users", userId]`. Writes invalidate reads by a prefix of their keys. */
export type Key = ReadonlyArray<string | number | boolean | undefined>

/** Adds a realm to a key, so that reads of different realms don't share it. */
export const keyIn = (realmId: string | undefined, key: Key) => [realmId ?? "all", ...key]

interface ReadOptions {
  /** Whether to read at all. Default: true. */
  readonly enabled?: boolean
  /** The polling interval, in milliseconds. */
  readonly every?: number
}

/** Reads one resource with the SDK, and reads it again after a write invalidates it. */
export const useRead = <A>(
  key: Key,
  read: (sdk: Sallyport) => Promise<A>,
  { enabled = true, every }: ReadOptions = {}
) => {
  const { realmId, sdk } = useScope()
  return useQuery({
    queryKey: keyIn(realmId, key),
    queryFn: () => read(sdk),
    enabled,
    ...(every === undefined ? {} : { refetchInterval: every })
  })
}

interface ListOptions<A> {
  /** Whether to read at all. Default: true. */
  readonly enabled?: boolean
  /** The polling interval, in milliseconds, or how it depends on the items. */
  readonly every?: number | ((items: ReadonlyArray<A>) => number | undefined) | undefined
}

/** The number of items per page of a list. */
export const PAGE = 50

/**
 * Reads a list page by page. `list`: reads the page after a cursor. The result's `loadMore` reads the next page. While
 * the parameters change, the previous items stay visible. Polling pauses while more than one page is shown, because it would read
 * all of them again.
 */
export const useList = <A>(
  key: Key,
  list: (sdk: Sallyport, page: { readonly after?: string; readonly max_results: number }) => List<A>,
  { enabled = true, every }: ListOptions<A> = {}
) => {
  const { realmId, sdk } = useScope()
  const query = useInfiniteQuery({
    queryKey: keyIn(realmId, [...key, "list"]),
    queryFn: async ({ pageParam }: { pageParam: string | undefined }) =>
      await list(sdk, { ...(pageParam === undefined ? {} : { after: pageParam }), max_results: PAGE }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ after }) => after,
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? []
      if (pages.length > 1) return false
      return (typeof every === "function" ? every(pages.flatMap(({ items }) => items)) : every) ?? false
    }
  })
  return {
    items: query.data?.pages.flatMap(({ items }) => items),
    /** The number of items on all pages, if the list was read with `expand: "total_results"`. */
    total: query.data?.pages[0]?.total_results,
    error: query.error,
    isPending: query.isPending,
    isPaused: every !== undefined && (query.data?.pages.length ?? 0) > 1,
    isRefreshing: query.isFetching && !query.isFetchingNextPage,
    more: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    reload: () => void query.refetch()
  }
}
