import { count } from "./Messages.ts"
import type { SourceRecord } from "./Row.ts"

/** Checks the markers of an imported export to detect missing parts. */
export class ExportMarks {
  #isOpen = false
  #rows = 0
  #fault: string | undefined
  /** Whether the export was made with a key that can't see passwords. */
  withoutSecrets = false

  /** Counts a record, or processes a marker. Returns whether it is a marker. */
  take({ object, secrets, users }: SourceRecord): boolean {
    if (object === "export") {
      if (this.#isOpen) this.#fault ??= this.#cutOff()
      this.#isOpen = true
      this.#rows = 0
      this.withoutSecrets ||= secrets === false
      return true
    }
    if (object !== "export_end") {
      this.#rows += 1
      return false
    }
    if (typeof users === "number" && users !== this.#rows) {
      this.#fault ??= `Users are missing or were added: the export should contain ${count(users, "user")}, but the input has ${count(this.#rows, "row")}.`
    }
    this.#isOpen = false
    this.#rows = 0
    return true
  }

  /** The missing parts, if any, after the last record. */
  get fault(): string | undefined {
    return this.#fault ?? (this.#isOpen ? this.#cutOff() : undefined)
  }

  #cutOff(): string {
    return `The export was cut off: its last line is missing after ${count(this.#rows, "row")}.`
  }
}
