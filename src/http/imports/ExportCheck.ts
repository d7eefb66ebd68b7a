import { type Problem, problem } from "#domain/Rejected"

/** Matches the first and the last line of an export. Rows have no member `object`. */
const MARK = /^\s*\{\s*"object"\s*:\s*"export(_end)?"/u

const usersOf = (text: string): number | undefined => {
  try {
    const users: unknown = Reflect.get(Object(JSON.parse(text)), "users")
    return typeof users === "number" ? users : undefined
  } catch {
    return undefined
  }
}

/** Checks that an imported export is complete: it has its last line, and the number of rows stated there (C80). */
export class ExportCheck {
  #rows = 0
  #isOpen = false
  #problem: Problem | undefined

  /** Processes the next line. Returns false if the line is a row. */
  take(text: string | null): boolean {
    const mark = text === null ? null : MARK.exec(text)
    if (text === null || mark === null) {
      this.#rows += 1
      return false
    }
    if (mark[1] === undefined) this.#begin()
    else this.#end(usersOf(text))
    return true
  }

  /** The problem if the export is incomplete. Read it after processing all lines. */
  get missing(): Problem | undefined {
    return this.#problem ?? (this.#isOpen ? this.#cutOff() : undefined)
  }

  #begin(): void {
    if (this.#isOpen) this.#problem ??= this.#cutOff()
    this.#isOpen = true
    this.#rows = 0
  }

  #end(users: number | undefined): void {
    if (users === undefined) this.#problem ??= this.#cutOff()
    else if (users !== this.#rows) {
      this.#problem ??= problem(null, "export_incomplete", { expected: users, found: this.#rows })
    }
    this.#isOpen = false
    this.#rows = 0
  }

  #cutOff(): Problem {
    return problem(null, "export_cut_off", { found: this.#rows })
  }
}
