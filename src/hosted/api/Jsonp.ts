const CALLBACK = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*){0,4}$/

/** Words that begin another statement than a call, or none at all. */
const RESERVED = new Set(
  `break case catch class const continue debugger default delete do else enum export extends false finally for function
  if import in instanceof new null return super switch throw true try typeof var void while with`.split(/\s+/)
)

const MOST_LENGTH = 64

/** Whether a text names a function that an answer may call (decision 42, SEC-29). */
export const isCallback = (text: string): boolean =>
  text.length <= MOST_LENGTH && CALLBACK.test(text) && !RESERVED.has(text.split(".")[0] ?? "")

const escapes: Readonly<Record<string, string>> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029"
}

/** A script that calls a function with a value, and can be read as nothing else. */
export const jsonp = (callback: string, value: object): string =>
  `/**/${callback}(${JSON.stringify(value).replaceAll(/[<>\u2028\u2029]/g, (sign) => escapes[sign] ?? "")});`

/** What the answer of a script says of itself: no document, no other type, and for any site. */
export const jsonpHeaders = {
  "content-type": "application/javascript; charset=utf-8",
  "content-disposition": "attachment; filename=f.js",
  "cross-origin-resource-policy": "cross-origin"
}
