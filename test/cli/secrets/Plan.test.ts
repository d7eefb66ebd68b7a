import { describe, expect, test } from "vitest"
import { nextStep, type Situation } from "#cli/secrets/Plan"

const NOW = Date.UTC(2026, 10, 23)
const DAY = 86_400_000

const old = { id: "old00000", createdAt: undefined }
const fresh = { id: "new00000", createdAt: NOW - 1_000 }

/** One node with these keys, or without any known key. */
const node = (...keys: ReadonlyArray<string>) => ({ url: "http://node", keys })
const silent = { url: "http://node", keys: "it can't be reached: the connection was refused" }

const next = (given: Partial<Situation>) =>
  nextStep({
    keys: [old],
    older: 0,
    missing: 0,
    missingKeys: [],
    nodes: [],
    isSure: false,
    newest: undefined,
    again: false,
    now: NOW,
    ...given
  })

const refused = (given: Partial<Situation>) => {
  const step = next(given)
  return step._tag === "Refuse" ? step.happened.split("\n") : [step._tag]
}

describe("a key rotation", () => {
  test("adds the new key, puts it first, re-encrypts all secrets and then removes the old key", () => {
    expect(next({})).toEqual({ _tag: "Add" })
    expect(next({ keys: [old, fresh], nodes: [node(old.id, fresh.id)] })).toEqual({
      _tag: "Promote",
      order: [fresh.id, old.id]
    })
    expect(next({ keys: [fresh, old], older: 7, nodes: [node(old.id, fresh.id)] })).toEqual({
      _tag: "Reencrypt",
      count: 7
    })
    expect(next({ keys: [fresh, old], nodes: [node(fresh.id, old.id)] })).toEqual({ _tag: "Remove", newest: fresh.id })
    expect(next({ keys: [fresh] })).toEqual({ _tag: "Done", createdAt: fresh.createdAt })
  })

  test("requires the operator's confirmation if no node can be asked", () => {
    for (const keys of [
      [old, fresh],
      [fresh, old]
    ]) {
      expect(refused({ keys })).toEqual(["Can't determine which keys the nodes have."])
      expect(next({ keys, isSure: true })._tag).toBe(keys[0] === old ? "Promote" : "Remove")
    }
  })

  test("can be followed by another rotation after a day, or earlier on request", () => {
    expect(next({ keys: [{ ...fresh, createdAt: NOW - DAY }] })).toEqual({ _tag: "Add" })
    expect(next({ keys: [fresh], again: true })).toEqual({ _tag: "Add" })
  })

  test("continues with manually created keys if the new key is named", () => {
    const other = { id: "oth00000", createdAt: undefined }
    expect(refused({ keys: [old, other], isSure: true })).toEqual([
      "Can't determine which key is new: old00000, oth00000."
    ])
    expect(next({ keys: [old, other], newest: other.id, isSure: true })).toEqual({
      _tag: "Promote",
      order: [other.id, old.id]
    })
    expect(next({ keys: [other, old], newest: other.id, isSure: true })).toEqual({ _tag: "Remove", newest: other.id })
    expect(refused({ keys: [old, other], newest: "nobodys0", isSure: true })).toHaveLength(1)
  })
})

describe("a key rotation stops", () => {
  test("if a key is missing", () => {
    for (const keys of [[old], [old, fresh], [fresh, old]]) {
      expect(refused({ keys, missing: 3, missingKeys: ["gone0000"], isSure: true })).toEqual([
        "3 stored secrets are encrypted with a missing key (gone0000)."
      ])
    }
  })

  test("before using the new key if a node lacks a key or doesn't respond", () => {
    for (const keys of [
      [old, fresh],
      [fresh, old]
    ]) {
      for (const [one, why] of [
        [node(old.id), "it doesn't have the key new00000"],
        [node(), `it doesn't have the keys ${keys.map(({ id }) => id).join(", ")}`],
        [silent, silent.keys]
      ] as const) {
        expect(refused({ keys, older: 2, nodes: [node(old.id, fresh.id), one], isSure: true })).toEqual([
          "Not every node has all keys, and a node without one can't decrypt all secrets:",
          `  - http://node: ${why}`
        ])
      }
    }
  })

  test("before removing the old key if a node still encrypts with that key", () => {
    expect(refused({ keys: [fresh, old], nodes: [node(old.id, fresh.id)], isSure: true })).toEqual([
      "Everything is encrypted with the new key, but not every node encrypts with it yet:",
      "  - http://node: it still encrypts with old00000, not with new00000"
    ])
  })

  test("before creating another key if a node's keys differ from this environment's keys", () => {
    expect(refused({ keys: [fresh], nodes: [node(fresh.id, old.id)] })).toEqual([
      "Not every node has this environment's only key:",
      "  - http://node: it still has the key old00000"
    ])
    expect(refused({ keys: [fresh], nodes: [node(old.id)] })[1]).toBe(
      "  - http://node: it doesn't have the key new00000"
    )
  })
})
