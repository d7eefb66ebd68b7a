import { expect, test } from "vitest"
import { type DnsAnswer, dnsFailure, records } from "#domain/DnsAnswer"
import { proofOf } from "#domain/DomainProof"

const right = records(["other", "right"])
const wrong = records(["other"])
const [absent, slow, broken] = [dnsFailure("nxdomain"), dnsFailure("timeout"), dnsFailure("servfail")]

const resultOf = (answers: ReadonlyArray<DnsAnswer>) => {
  const proof = proofOf("right", answers)
  return proof._tag === "Proved" ? "proved" : proof.problem
}

test.each<readonly [string, string, ReadonlyArray<DnsAnswer>]>([
  ["accepts the answer of a single resolver", "proved", [right]],
  ["accepts a record that all resolvers return", "proved", [right, right, right]],
  ["ignores a minority of resolvers that don't respond", "proved", [right, slow, right]],
  ["rejects a record if only half of the resolvers respond", "timeout", [right, slow]],
  ["rejects a record if most resolvers fail", "servfail", [right, broken, broken]],
  ["rejects a record that one resolver doesn't return", "disagreement", [right, right, wrong]],
  ["rejects a record that only one resolver returns", "disagreement", [absent, right, absent]],
  ["reports other records before missing names", "wrong_value", [absent, wrong]],
  ["reports a missing name", "nxdomain", [absent, absent, slow]]
])("%s", (_, expected, answers) => {
  expect(resultOf(answers)).toBe(expected)
})

test("SEC-295: counts a record as present if any resolver returns it", () => {
  expect(proofOf("right", [right, records(["right", "more"])])).toEqual({
    _tag: "Proved",
    values: ["other", "right", "more"]
  })
})
