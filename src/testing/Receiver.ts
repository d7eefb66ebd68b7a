import { DateTime, Effect } from "effect"
import { Outbound, type OutboundAnswer, OutboundFailed, type OutboundPost } from "#platform/Outbound"

/** A post that has come in, and the time the service had then. */
export interface ReceivedPost extends OutboundPost {
  readonly at: DateTime.Utc
}

type Answering = (post: ReceivedPost) => OutboundAnswer | OutboundFailed

/** Takes what the service posts, in place of everyone out there: 200, unless a test says otherwise of a URL. */
export class Receiver {
  readonly #posts: Array<ReceivedPost> = []
  readonly #answers = new Map<string, Answering>()

  /** All that has come in, oldest first. */
  get posts(): ReadonlyArray<ReceivedPost> {
    return this.#posts
  }

  /** What has come in at a URL. */
  to(url: string): ReadonlyArray<ReceivedPost> {
    return this.#posts.filter((post) => post.url === url)
  }

  /** Says how a URL answers from now on. */
  answer(url: string, answering: Answering): void {
    this.#answers.set(url, answering)
  }

  /** The service's own way out leads here. Of questions it knows no answer: `TestSallyport` lets them out. */
  readonly outbound = Outbound.of({
    ask: () => Effect.fail(new OutboundFailed({ reason: "unreachable" })),
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
