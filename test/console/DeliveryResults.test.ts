import { expect, test } from "vitest"
import { deliveryResults } from "#domain/DeliveryResult"
import { resultLine, resultText, statusLine } from "../../src/admin/hooks/DeliveryResult.ts"

test.each([
  ["HTTP 500\nOops", "HTTP 500 Oops"],
  ["The destination could not be reached.", "The destination could not be reached."],
  ["HTTP 502\n<html>\n<head><title> 502 Bad Gateway </title></head><body>x</body></html>", "HTTP 502: 502 Bad Gateway"],
  ["HTTP 503\n<!DOCTYPE html><p>Down", "HTTP 503"],
  ["HTTP 500\n<title><script>alert(1)</script>", "HTTP 500"],
  ["", ""]
])("the result %j of a delivery is shown in one line without HTML", (result, line) => {
  expect(resultLine(result)).toBe(line)
})

test.each([
  ['HTTP 404\n{"error":"not found"}', "HTTP 404"],
  ["The destination could not be reached.", "The destination could not be reached."]
])("the status of the result %j is shown without the response's body", (result, line) => {
  expect(statusLine(result)).toBe(line)
})

test("a result in the service's own words is shown in the console's language", () => {
  const own = Object.values(deliveryResults)
  expect(own.map((result) => resultText("en", result))).toEqual(own)
  expect(new Set([...own, ...own.map((result) => resultText("es", result))]).size).toBe(2 * own.length)
  expect(resultText("es", deliveryResults.unreachable)).toBe("No se pudo conectar con el destino.")
})

test.each([
  "HTTP 500\nOops",
  "550 No such mailbox.",
  "constructor",
  ""
])("the response %j of another server is shown as it is", (result) => {
  expect(resultText("es", result)).toBe(result)
})
