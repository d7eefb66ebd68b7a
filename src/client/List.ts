/** One page of a list. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** Whether there are more items after this page. */
  readonly more_results: boolean
  /** The value of `after` for the next page, or undefined on the last page. */
  readonly after: string | undefined
  /** The number of items on all pages, in lists that support `expand: "total_results"`. 10000 means 10,000 or more. */
  readonly total_results?: number | undefined
}

/** Fetches the page after an item, or the first page. */
export type FetchPage<A> = (after: string | undefined) => Promise<Page<A>>

/**
 * A list. Await it to get one page, or iterate over it to get all items, which fetches further pages on demand. Nothing
 * is requested until then.
 */
export class List<A> implements Promise<Page<A>>, AsyncIterable<A> {
  readonly [Symbol.toStringTag] = "List"
  private readonly fetchPage: FetchPage<A>
  private first: Promise<Page<A>> | undefined

  constructor(fetchPage: FetchPage<A>) {
    this.fetchPage = fetchPage
  }

  private page(): Promise<Page<A>> {
    this.first ??= this.fetchPage(undefined)
    return this.first
  }

  then<B = Page<A>, C = never>(
    onFulfilled?: ((page: Page<A>) => B | PromiseLike<B>) | null,
    onRejected?: ((error: unknown) => C | PromiseLike<C>) | null
  ): Promise<B | C> {
    return this.page().then(onFulfilled, onRejected)
  }

  catch<B = never>(onRejected?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Page<A> | B> {
    return this.page().catch(onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Page<A>> {
    return this.page().finally(onFinally)
  }

  /** Iterates over the pages. */
  async *pages(): AsyncGenerator<Page<A>, void, undefined> {
    let page = await this.fetchPage(undefined)
    yield page
    while (page.after !== undefined) {
      page = await this.fetchPage(page.after)
      yield page
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<A, void, undefined> {
    for await (const { items } of this.pages()) yield* items
  }
}
