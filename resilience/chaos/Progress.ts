/** Counts the recorded events, and resolves promises when the count reaches a number. */
export class Progress {
  events = 0
  private waiting: Array<{ readonly at: number; readonly resolve: () => void }> = []
  private onAnswer: Array<() => void> = []

  add(events: number): void {
    this.events += events
    const due = this.waiting.filter(({ at }) => at <= this.events)
    this.waiting = this.waiting.filter(({ at }) => at > this.events)
    for (const { resolve } of due) resolve()
  }

  /** Resolves when this many events are recorded. */
  reaches(at: number): Promise<void> {
    return at <= this.events ? Promise.resolve() : new Promise((resolve) => this.waiting.push({ at, resolve }))
  }

  /** Records that a change was acknowledged. */
  answered(): void {
    const listeners = this.onAnswer
    this.onAnswer = []
    for (const resolve of listeners) resolve()
  }

  /** Resolves at the next acknowledgement. */
  nextAnswer(): Promise<void> {
    return new Promise((resolve) => this.onAnswer.push(resolve))
  }
}
