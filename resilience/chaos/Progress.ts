/** Counts the recorded events, and resolves promises when the count reaches a number. */
export class Progress {
  events = 0
  private waiting: Array<{ readonly at: number; readonly go: () => void }> = []
  private onAnswer: Array<() => void> = []

  add(events: number): void {
    this.events += events
    const due = this.waiting.filter(({ at }) => at <= this.events)
    this.waiting = this.waiting.filter(({ at }) => at > this.events)
    for (const { go } of due) go()
  }

  /** Resolves when this many events are recorded. */
  reaches(at: number): Promise<void> {
    return at <= this.events ? Promise.resolve() : new Promise((go) => this.waiting.push({ at, go }))
  }

  /** Records that a change was acknowledged. */
  answered(): void {
    const heard = this.onAnswer
    this.onAnswer = []
    for (const go of heard) go()
  }

  /** Resolves at the next acknowledgement. */
  nextAnswer(): Promise<void> {
    return new Promise((go) => this.onAnswer.push(go))
  }
}
