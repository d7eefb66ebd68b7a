import type { ReactNode } from "react"
import { common } from "../texts/CommonTexts.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Button } from "./Button.tsx"
import { useCount } from "./Count.ts"
import { Loading } from "./Loading.tsx"
import { ProblemNote } from "./ProblemNote.tsx"
import type { Selection } from "./Selection.ts"
import { type Column, Table, type TableSort } from "./Table.tsx"

/** A list returned by `useList`. */
interface Listed<A> {
  readonly items: ReadonlyArray<A> | undefined
  readonly total?: number | undefined
  readonly error: unknown
  readonly more: boolean
  readonly isLoadingMore: boolean
  readonly loadMore: () => void
  readonly reload: () => void
}

interface ListingProps<A> {
  readonly label: string
  readonly list: Listed<A>
  readonly columns: ReadonlyArray<Column<A>>
  readonly keyOf: (item: A) => string
  readonly to?: (item: A) => string
  readonly sort?: TableSort | undefined
  readonly selection?: Selection<A> | undefined
  readonly nameOf?: (item: A) => string
  /** The content shown if the list is empty. */
  readonly empty: ReactNode
}

/** A paged list with its loading, error and empty states. */
export const Listing = <A,>({ label, list, columns, keyOf, to, sort, selection, nameOf, empty }: ListingProps<A>) => {
  const t = useTexts(common)
  const { language } = useLanguage()
  const total = useCount(list.total)
  const { items, error, more, isLoadingMore, loadMore, reload } = list
  if (items === undefined) return error === null ? <Loading /> : <ProblemNote error={error} onRetry={reload} />
  if (items.length === 0 && error === null) return empty
  return (
    <>
      <Table
        label={label}
        columns={columns}
        items={items}
        keyOf={keyOf}
        sort={sort}
        selection={selection}
        nameOf={nameOf}
        {...(to === undefined ? {} : { to })}
      />
      <ProblemNote error={error} onRetry={reload} />
      <div className="list-end">
        <span className="faint">
          {total === undefined ? t.showingFirst(items.length) : t.shownOf(items.length.toLocaleString(language), total)}
        </span>
        {more ? (
          <Button onClick={loadMore} pending={isLoadingMore}>
            {t.loadMore}
          </Button>
        ) : null}
      </div>
    </>
  )
}
