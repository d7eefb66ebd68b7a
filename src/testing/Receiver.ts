import { DateTime, Effect } from "effect"
import { FaultPlan } from "#domain/Fault"
import { Outbound, OutboundFailed, type OutboundPost, type PostResponse } from "#platform/Outbound"
import { destinationOf } from "./Answer.ts"

/** A request that the service has posted, with the service's time at that moment. */
export interface ReceivedPost extends OutboundPost {
  readonly at: DateTime.Utc
}

type Answerer = (post: ReceivedPost) => PostResponse | OutboundFailed

const OK: PostResponse = { status: 200, retryAfter: undefined, excerpt: "" }

/** A URL as URLs are compared: `https://App.example.com` is `https://app.example.com/`. */
const normal = (url: string): string => destinationOf(url) ?? url

/** Captures the service's posts to webhooks. It answers 200, except for URLs that a test gives another answer. */
export class Receiver {
  #posts: Array<ReceivedPost> = []
  readonly #answers = new Map<string, Answerer>()
  readonly #plan: FaultPlan

  /** `plan`: when no destination can be reached. */
  constructor(plan: FaultPlan = new FaultPlan()) {
    this.#plan = plan
  }

  /** All captured posts, oldest first. */
  get posts(): ReadonlyArray<ReceivedPost> {
    return this.#posts
  }

  /** The captured posts to a URL, oldest first. */
  to(url: string): ReadonlyArray<ReceivedPost> {
    const destination = normal(url)
    return this.#posts.filter((post) => normal(post.url) === destination)
  }

  /** Sets how a URL answers from now on. */
  answer(url: string, answerer: Answerer): void {
    this.#answers.set(normal(url), answerer)
  }

  /** Sets how a URL answers its next posts, one after the other; the last of the answers stays. None: 200 again. */
  answerInTurn(url: string, answers: ReadonlyArray<PostResponse | OutboundFailed>): void {
    const left = [...answers]
    this.answer(url, () => (left.length > 1 ? left.shift() : left[0]) ?? OK)
  }

  /** Forgets the captured posts. */
  clear(): void {
    this.#posts = []
  }

  /** The outbound client of the service under test. It answers no questions: those go to played providers, or out over HTTP. */
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
