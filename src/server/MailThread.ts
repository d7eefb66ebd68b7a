import { Worker } from "node:worker_threads"
import { Effect, Layer } from "effect"
import { MailRenderer } from "#core/mail/MailRenderer"
import { lengthOf, type MailTemplate, type MailValues } from "#core/mail/MailTemplate"
import { RenderingTurns } from "#core/mail/RenderingTurns"
import type { RealmId } from "#domain/Ids"
import { MailUnrenderable, RenderingBusy } from "#domain/MailTemplate"
import type { Answer, Said, Task } from "./MailWorker.ts"

/** How much of the thread's time a task may take, in milliseconds, and how much time by the wall. */
const MOST_SPENT = { trial: 200, mail: 500 }
const MOST_MILLIS = 10_000

/** How often a thread at work is looked at. */
const LOOK_EVERY = 20

/** What it costs to begin with a new thread. */
const BEGINNING_MILLIS = 100

/** What the event loop spends on handing on a mail, for each of its characters. */
const CHARACTER_MILLIS = 1 / 16_384

/** How long a task waits for its turn, in milliseconds: a mail for less than its lease, and nobody for long at a request. */
const PATIENCE = { trial: 5_000, mail: 20_000 }

/** After how long without work the thread ends. */
const IDLE_MILLIS = 10_000

/** How much memory the thread may take, in MiB. */
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8, stackSizeMb: 1 }

// Beside this module, also when it is bundled.
const program = new URL(import.meta.url.endsWith(".ts") ? "./MailWorker.ts" : "./MailWorker.js", import.meta.url)

/** What came of a job: an answer, no turn, or a fault of ours. */
type Outcome = Answer | { readonly _tag: "Busy" } | { readonly _tag: "Broken"; readonly cause: unknown }

interface Job {
  readonly kind: "trial" | "mail"
  readonly task: Task
  readonly end: (outcome: Outcome) => void
}

/** A job that is being done. `from`: what the thread had spent before; undefined: the thread has not begun yet. */
interface AtWork {
  readonly realmId: RealmId
  readonly job: Job
  readonly began: number
  from: number | undefined
}

/** One thread that renders, from the first mail until none has come for a while. Its time is real, whatever the clock says. */
class Thread {
  readonly #turns = new RenderingTurns<Job>()
  #worker: Worker | undefined
  #spent: number | undefined
  #atWork: AtWork | undefined
  #timer: NodeJS.Timeout | undefined

  /** Does a job when its turn has come; what to call when nobody waits for it any more. */
  ask(realmId: RealmId, kind: Job["kind"], task: Task, end: Job["end"]): () => void {
    const job: Job = {
      kind,
      task,
      end: (outcome) => {
        clearTimeout(patience)
        end(outcome)
      }
    }
    const leave = () => {
      clearTimeout(patience)
      this.#turns.remove(realmId, job)
    }
    const patience = setTimeout(() => {
      if (this.#atWork?.job === job) return
      leave()
      end({ _tag: "Busy" })
    }, PATIENCE[kind]).unref()
    // Whoever waits at a request comes before the mails of the same realm.
    if (this.#turns.add(realmId, job, kind === "trial" ? "first" : "last")) this.#turn()
    else job.end({ _tag: "Busy" })
    return leave
  }

  close(): void {
    clearTimeout(this.#timer)
    const worker = this.#worker
    this.#worker = undefined
    this.#spent = undefined
    void worker?.terminate()
  }

  /** Calls something later, in place of whatever was to be called; the process does not wait for it. */
  #later(millis: number, call: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(call, millis).unref()
  }

  #turn(): void {
    if (this.#atWork !== undefined) return
    const turn = this.#turns.next(performance.now())
    if (turn._tag === "Rest") return this.#later(turn.millis, () => this.#turn())
    if (turn._tag === "Idle") return this.#later(IDLE_MILLIS, () => this.close())
    const { realmId, job } = turn
    this.#atWork = { realmId, job, began: performance.now(), from: this.#spent }
    try {
      this.#worker ??= this.#begin()
      this.#worker.postMessage(job.task)
      this.#later(LOOK_EVERY, () => void this.#look())
    } catch (cause) {
      // The machine has no thread to give.
      this.close()
      this.#end(BEGINNING_MILLIS, { _tag: "Broken", cause })
    }
  }

  #begin(): Worker {
    const worker = new Worker(program, { name: "mails", env: {}, argv: [], execArgv: [], resourceLimits: MEMORY })
    worker.unref()
    const broken = (cause: unknown) => {
      if (this.#worker !== worker) return
      this.close()
      const isFull = cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY"
      this.#end(BEGINNING_MILLIS, isFull ? { _tag: "Unrenderable", why: "long" } : { _tag: "Broken", cause })
    }
    worker.on("error", broken)
    worker.on("exit", (code) => broken(new Error(`The e-mail rendering thread exited with code ${code}.`)))
    worker.on("message", ({ spent, answer }: Said) => {
      if (this.#worker !== worker) return
      this.#spent = spent
      if (this.#atWork === undefined) return
      if (answer === undefined) this.#atWork.from = spent
      else this.#end(spent - (this.#atWork.from ?? spent), answer)
    })
    return worker
  }

  /** Looks at how much the job at hand has taken, and ends it with the thread where that is too much. */
  async #look(): Promise<void> {
    const [worker, atWork] = [this.#worker, this.#atWork]
    if (worker === undefined || atWork === undefined) return
    // Where a release of Node has no such look, the time by the wall counts.
    const usage = await worker.cpuUsage?.().catch(() => undefined)
    if (this.#atWork !== atWork) return
    const elapsed = performance.now() - atWork.began
    const total = usage === undefined ? undefined : (usage.user + usage.system) / 1_000
    const spent = atWork.from === undefined ? 0 : total === undefined ? elapsed : total - atWork.from
    const isOver = spent > MOST_SPENT[atWork.job.kind] || elapsed > MOST_MILLIS
    if (!isOver) return this.#later(LOOK_EVERY, () => void this.#look())
    this.close()
    this.#end(spent + BEGINNING_MILLIS, { _tag: "Unrenderable", why: "slow" })
  }

  #end(spent: number, answer: Outcome): void {
    const atWork = this.#atWork
    if (atWork === undefined) return this.#turn()
    this.#atWork = undefined
    const handing = answer._tag === "Rendered" ? lengthOf(answer.mail) * CHARACTER_MILLIS : 0
    this.#turns.charge(atWork.realmId, spent + handing, performance.now())
    atWork.job.end(answer)
    this.#turn()
  }
}

/** A fault of the thread is none of the mail's, which is made later, nor of those beside it. */
const broken = (cause: unknown) =>
  Effect.andThen(
    Effect.logError("e-mails can't be rendered: the rendering thread has ended", cause),
    Effect.fail(new RenderingBusy({ retryAfterSeconds: 60 }))
  )

/** Renders mails on a thread that is there only while mails are made. */
export const layer: Layer.Layer<MailRenderer> = Layer.effect(
  MailRenderer,
  Effect.gen(function* () {
    const thread = yield* Effect.acquireRelease(
      Effect.sync(() => new Thread()),
      (thread) => Effect.sync(() => thread.close())
    )

    const ask = (realmId: RealmId, mail: MailTemplate, values: MailValues | undefined) =>
      Effect.callback<Exclude<Answer, { readonly _tag: "Unrenderable" }>, MailUnrenderable | RenderingBusy>(
        (resume) => {
          const leave = thread.ask(realmId, values === undefined ? "trial" : "mail", { mail, values }, (outcome) => {
            if (outcome._tag === "Busy") resume(Effect.fail(new RenderingBusy({ retryAfterSeconds: 5 })))
            else if (outcome._tag === "Broken") resume(broken(outcome.cause))
            else if (outcome._tag === "Unrenderable") resume(Effect.fail(new MailUnrenderable({ why: outcome.why })))
            else resume(Effect.succeed(outcome))
          })
          return Effect.sync(leave)
        }
      )

    return MailRenderer.of({
      render: Effect.fn("MailRenderer.render")(function* (realmId, mail, values) {
        const answer = yield* ask(realmId, mail, values)
        return answer._tag === "Rendered" ? answer.mail : yield* Effect.die(new Error("A trial renders no e-mail."))
      }),
      tryOut: Effect.fn("MailRenderer.tryOut")(function* (realmId, mail) {
        yield* ask(realmId, mail, undefined)
      })
    })
  })
)
