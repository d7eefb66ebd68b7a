import { DateTime, Effect } from "effect"
import { Outbound, OutboundFailed, type OutboundPost, type PostResponse } from "#platform/Outbound"

/** A request that the service has posted, with the service's time at that moment. */
export interface ReceivedPost extends OutboundPost {
  readonly at: DateTime.Utc
}

type Answerer = (post: ReceivedPost) => PostResponse | OutboundFailed

/** Captures the service's posts to webhooks. It answers 200, except for URLs that a test gives another answer. */
export class Receiver {
  readonly #posts: Array<ReceivedPost> = []
  readonly #answers = new Map<string, Answerer>()

  /** All captured posts, oldest first. */
  get posts(): ReadonlyArray<ReceivedPost> {
    return this.#posts
  }

  /** The captured posts to a URL, oldest first. */
  to(url: string): ReadonlyArray<ReceivedPost> {
    return this.#posts.filter((post) => post.url === url)
  }

  /** Sets how a URL answers from now on. */
  answer(url: string, answerer: Answerer): void {
    this.#answers.set(url, answerer)
  }

  /**
   * Sets the statuses with which a URL answers its next posts, one after the other; the last of them stays. None: 200 again.
   * Throws if one is no status.
   */
  answerInTurn(url: string, statuses: ReadonlyArray<number>): void {
    const wrong = statuses.find((status) => !(Number.isInteger(status) && status >= 200 && status <= 599))
    if (wrong !== undefined) throw new Error(`Not a status: ${wrong}. Take whole numbers from 200 to 599.`)
    const left = [...statuses]
    this.answer(url, () => {
      const status = (left.length > 1 ? left.shift() : left[0]) ?? 200
      return { status, retryAfter: undefined, excerpt: "" }
    })
  }

  /** The outbound client of the service under test. It answers no questions: `TestSallyport` sends those over HTTP. */
  readonly outbound = Outbound.of({
    request: () => Effect.fail(new OutboundFailed({ reason: "unreachable" })),
    post: (post) =>
      Effect.flatMap(DateTime.now, (at) => {
        const received = { ...post, at }
        this.#posts.push(received)
        const answer = this.#answers.get(post.url)?.(received)
        if (answer instanceof OutboundFailed) return Effect.fail(answer)
        return Effect.succeed(answer ?? { status: 200, retryAfter: undefined, excerpt: "" })
      })
  })
}
