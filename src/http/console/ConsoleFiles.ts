import { readdir, readFile } from "node:fs/promises"
import { extname } from "node:path"
import { Context, Effect, Ref } from "effect"
import { publicPathOf, withPublicPath } from "#domain/PublicPath"
import { staticBytes, staticText } from "../docs/StaticText.ts"

/**
 * The folder of the built console, with `index.html` and `assets`. In the source tree it is the output of the last build; in
 * the bundle it is next to this file.
 */
export const ConsoleFolder = Context.Reference<URL>("sallyport/http/ConsoleFolder", {
  defaultValue: () =>
    new URL(import.meta.url.endsWith(".ts") ? "../../../dist/console/" : "./console/", import.meta.url)
})

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2"
}

/**
 * The page runs scripts and styles only from this origin. It can frame pages of this service, but can't be framed itself
 * (SEC-204).
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const pageHeaders = {
  "cache-control": "no-store",
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
}

/** The names of assets contain a digest of their content. */
const assetHeaders = {
  "cache-control": "public, max-age=31536000, immutable",
  "cross-origin-resource-policy": "same-origin"
}

/** Reads a file, or returns undefined if it does not exist. */
const fileAt = (url: URL) => Effect.promise(() => readFile(url).catch(() => undefined))

const asset = Effect.fnUntraced(function* (folder: URL, name: string) {
  const type = types[extname(name)]
  const bytes = type === undefined ? undefined : yield* fileAt(new URL(name, folder))
  if (type === undefined || bytes === undefined) return []
  const [br, gzip] = [yield* fileAt(new URL(`${name}.br`, folder)), yield* fileAt(new URL(`${name}.gz`, folder))]
  const encoded = { ...(br === undefined ? {} : { br }), ...(gzip === undefined ? {} : { gzip }) }
  const isText = /text|json|svg/.test(type)
  return [[name, yield* staticBytes(bytes, type, assetHeaders, isText ? encoded : "as is")] as const]
})

const load = Effect.fnUntraced(function* (folder: URL, path: string) {
  const index = yield* fileAt(new URL("index.html", folder))
  if (index === undefined) return undefined
  const assets = new URL("assets/", folder)
  const names = yield* Effect.promise(() => readdir(assets).catch(() => []))
  return {
    page: yield* staticText(withPublicPath(path, index.toString()), "text/html; charset=utf-8", pageHeaders),
    assets: new Map((yield* Effect.forEach(names, (name) => asset(assets, name))).flat())
  }
})

/** The responses with the console's files, read at the first request, or undefined if the console has not been built. */
export const consoleFiles = Effect.fnUntraced(function* ({ publicUrl }: { readonly publicUrl: string }) {
  const folder = yield* ConsoleFolder
  const loaded = yield* Ref.make<Effect.Success<ReturnType<typeof load>>>(undefined)
  return Effect.gen(function* () {
    const known = yield* Ref.get(loaded)
    if (known !== undefined) return known
    const read = yield* load(folder, publicPathOf(publicUrl))
    yield* Ref.set(loaded, read)
    return read
  })
})
