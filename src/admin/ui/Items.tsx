import type { ReactNode } from "react"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "./Button.tsx"
import { Loading } from "./Loading.tsx"
import { ProblemNote } from "./ProblemNote.tsx"

interface ItemProps {
  /** The item's name. */
  readonly title: ReactNode
  /** Further details, below the title. */
  readonly detail?: ReactNode
  /** Buttons. */
  readonly actions?: ReactNode
}

/** An item in a section's list. */
export const Item = ({ title, detail, actions }: ItemProps) => (
  <li className="item">
    <div className="item-text">
      <div className="item-title">{title}</div>
      {detail === undefined ? null : <div className="item-detail">{detail}</div>}
    </div>
    {actions === undefined ? null : <div className="item-actions">{actions}</div>}
  </li>
)

/** A vertical list of items. */
export const Items = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <ul className="items" aria-label={label}>
    {children}
  </ul>
)

interface ItemListProps<A> {
  readonly label: string
  readonly list: {
    readonly items: ReadonlyArray<A> | undefined
    readonly error: unknown
    readonly more: boolean
    readonly isLoadingMore: boolean
    readonly loadMore: () => void
    readonly reload: () => void
  }
  /** Renders an item as an `Item` with its key. */
  readonly children: (item: A) => ReactNode
  /** The content shown if the list is empty. */
  readonly empty: ReactNode
}

/** A list in a section, page by page. */
export const ItemList = <A,>({ label, list, children, empty }: ItemListProps<A>) => {
  const t = useTexts(common)
  const { items, error, more, isLoadingMore, loadMore, reload } = list
  if (items === undefined) return error === null ? <Loading /> : <ProblemNote error={error} onRetry={reload} />
  if (items.length === 0 && error === null) return <div className="faint">{empty}</div>
  return (
    <>
      <Items label={label}>{items.map(children)}</Items>
      <ProblemNote error={error} onRetry={reload} />
      {more ? (
        <div className="item-end">
          <Button small onClick={loadMore} pending={isLoadingMore}>
            {t.loadMore}
          </Button>
        </div>
      ) : null}
    </>
  )
}
