const CALLBACK = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*){0,4}$/

/** Reserved words, which a function name can't start with. */
const RESERVED = new Set(
  `break case catch class const continue debugger default delete do else enum export extends false finally for function
  if import in instanceof new null return super switch throw true try typeof var void while with`.split(/\s+/)
)

const MAX_LENGTH = 64

/** Returns whether a text is the name of a function that a response may call (C42, SEC-29). */
export const isCallback = (text: string): boolean =>
  text.length <= MAX_LENGTH && CALLBACK.test(text) && !RESERVED.has(text.split(".")[0] ?? "")

const escapes: Readonly<Record<string, string>> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029"
}

/** Returns a script that calls a function with a value. Browsers can't mistake it for any other type. */
export const jsonp = (callback: string, value: object): string =>
  `/**/${callback}(${JSON.stringify(value).replaceAll(/[<>\u2028\u2029]/g, (character) => escapes[character] ?? "")});`

/** The headers of the script. Any site can load it. Browsers never display it as a document or interpret it as another type. */
export const jsonpHeaders = {
  "content-type": "application/javascript; charset=utf-8",
  "content-disposition": "attachment; filename=f.js",
  "cross-origin-resource-policy": "cross-origin"
}
