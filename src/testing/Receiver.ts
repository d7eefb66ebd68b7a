import { DateTime, Effect } from "effect"
import { FaultPlan } from "#domain/Fault"
import { Outbound, OutboundFailed, type OutboundPost, type PostResponse } from "#platform/Outbound"
import { destinationOf } from "./Answer.ts"

/** A request posted by the service, with the service's time when it was posted. */
export interface ReceivedPost extends OutboundPost {
  readonly at: DateTime.Utc
}

type Answerer = (post: ReceivedPost) => PostResponse | OutboundFailed

const OK: PostResponse = { status: 200, retryAfter: undefined, excerpt: "" }

/** Normalizes a URL: `https://App.example.com` becomes `https://app.example.com/`. */
const normal = (url: string): string => destinationOf(url) ?? url

/** Captures the service's posts to webhooks. Responds with 200, unless a test sets a different response for a URL. */
export class Receiver {
  #posts: Array<ReceivedPost> = []
  readonly #answers = new Map<string, Answerer>()
  readonly #plan: FaultPlan

  /** `plan` defines when destinations are unreachable. */
  constructor(plan: FaultPlan = new FaultPlan()) {
    this.#plan = plan
  }

  /** All captured posts, oldest first. */
  get posts(): ReadonlyArray<ReceivedPost> {
    return this.#posts
  }

  /** Returns the captured posts to a URL, oldest first. */
  to(url: string): ReadonlyArray<ReceivedPost> {
    const destination = normal(url)
    return this.#posts.filter((post) => normal(post.url) === destination)
  }

  /** Sets how a URL responds from now on. */
  answer(url: string, answerer: Answerer): void {
    this.#answers.set(normal(url), answerer)
  }

  /**
   * Sets how a URL responds to the next posts, one answer after another. The last answer stays in effect. Without answers, the
   * URL responds with 200 again.
   */
  answerInTurn(url: string, answers: ReadonlyArray<PostResponse | OutboundFailed>): void {
    const left = [...answers]
    this.answer(url, () => (left.length > 1 ? left.shift() : left[0]) ?? OK)
  }

  /** Removes all captured posts. */
  clear(): void {
    this.#posts = []
  }

  /** The outbound client of the service under test. Requests other than posts go to fake providers, or are sent over HTTP. */
  readonly outbound = Outbound.of({
    request: () => Effect.fail(new OutboundFailed({ reason: "unreachable" })),
    post: (post) =>
      Effect.flatMap(DateTime.now, (at) => {
        const received = { ...post, at }
        this.#posts.push(received)
        if (this.#plan.take("webhook")) return Effect.fail(new OutboundFailed({ reason: "unreachable" }))
        const answer = this.#answers.get(normal(post.url))?.(received)
        if (answer instanceof OutboundFailed) return Effect.fail(answer)
        return Effect.succeed(answer ?? OK)
      })
  })
}
