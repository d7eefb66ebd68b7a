import { expect, test } from "vitest"
import { extractCodes, extractLinks } from "#core/mail/MailParts"

const html = (markup: string) => ({ subject: "", html: markup, text: null })
const text = (words: string) => ({ subject: "", html: null, text: words })

test("finds each link of a text once, in order and without trailing punctuation", () => {
  const links = extractLinks(
    text(`See https://a.test/x?y=1&z=2, <http://localhost:3000/verify?token=tve%3Aab>, (https://b.test/c).
      http://[::1]:3000/d! https://a.test/x?y=1&z=2 https://e.test/f_(g) HTTPS://H.test ftp://no.test javascript:alert(1)`)
  )
  expect(links).toEqual([
    "https://a.test/x?y=1&z=2",
    "http://localhost:3000/verify?token=tve%3Aab",
    "https://b.test/c",
    "http://[::1]:3000/d",
    "https://e.test/f_(g)",
    "HTTPS://H.test"
  ])
})

test("finds the decoded links of HTML anchors, but not links in comments, styles or scripts", () => {
  const links = extractLinks(
    html(`<!-- <a href="https://comment.test">x</a> --><style>a{background:url(https://style.test)}</style>
      <script>"<a href='https://script.test'>"</script><abbr href="https://abbr.test">
      <A class="x > y" HREF='https://a.test/?b=1&amp;c=&#x32;&#51;'>one</A> <a href=https://bare.test/d>two</a>
      <a href="mailto:jo@a.test">m</a><a href="javascript:alert(1)">j</a><a>none</a><a href="https://a.test/?b=1&c=23">`)
  )
  expect(links).toEqual(["https://a.test/?b=1&c=23", "https://bare.test/d"])
})

test("lists a link in both the text and the HTML once", () => {
  const bodies = {
    html: '<a href="https://a.test/?b&amp;c">x</a><a href="https://d.test">',
    text: "x <https://a.test/?b&c>"
  }
  expect(extractLinks(bodies)).toEqual(["https://a.test/?b&c", "https://d.test"])
})

test("finds standalone codes of six digits in the subject, text and HTML", () => {
  expect(extractCodes(text("Code: 123456. Or 000111, not 1234567, a123456, 123456.78, #123456 or 12-345678."))).toEqual(
    ["123456", "000111"]
  )
  expect(extractCodes(text("https://a.test/?code=654321 123456 123456"))).toEqual(["123456"])
  expect(extractCodes({ ...text("as above"), subject: "Your code is 482913" })).toEqual(["482913"])
  expect(
    extractCodes(html('<style>p{color:#222333}</style><p data-x="111222">&#49;23456</p><p>nbsp&nbsp;444555</p>'))
  ).toEqual(["123456", "444555"])
})

test("reads hostile bodies quickly", () => {
  const began = performance.now()
  for (const piece of [
    "<a ",
    "<a'",
    '<a href="',
    "<!--",
    "<script",
    "<",
    "https://",
    "https://.",
    "https://a)",
    "&#x"
  ]) {
    const bodies = { subject: "", html: piece.repeat(50_000), text: piece.repeat(50_000) }
    extractLinks(bodies)
    extractCodes(bodies)
    extractCodes({ ...bodies, text: null })
  }
  expect(performance.now() - began).toBeLessThan(5_000)
})
