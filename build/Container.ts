import { execFileSync, spawnSync } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync
} from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { licensesOf, packageIn } from "./Licenses.ts"
import { billOf, type Component, componentOf, npmComponents } from "./Sbom.ts"

/** The folder of the service in the image. */
export const assembledAt = "/sallyport"

/** The container's numeric user id. The user owns only `/data` and the folder of compiled code. */
export const USER = 65_532

/**
 * The files of unbundled packages that the bundle needs at run time. Types, source maps, documents and other formats
 * are left out.
 */
const PACKAGES: Readonly<Record<string, ReadonlyArray<string>>> = {
  "@electric-sql/pglite": [
    "dist/{index,chunk-*}.js",
    "dist/fs/{base,nodefs}.js",
    "dist/{pglite,initdb}.wasm",
    "dist/pglite.data"
  ],
  "@node-rs/argon2": ["index.js"],
  "@node-rs/argon2-*": ["*.node"],
  "@node-rs/bcrypt": ["index.js", "binding.js"],
  "@node-rs/bcrypt-*": ["*.node"]
}

/** The files in `dist` that only package users or this machine need. */
const NOT_IN_IMAGE = /^(?:source|compiled\/.*|library-.*|.*\.d\.ts|(?:client|server|testing)\/.*)$/

const copy = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}

const copyAll = (from: string, patterns: ReadonlyArray<string>, to: string): void => {
  for (const pattern of patterns) {
    const files = globSync(pattern, { cwd: from, withFileTypes: true }).filter((entry) => entry.isFile())
    if (files.length === 0) throw new Error(`There is no ${pattern} in ${from}.`)
    for (const { parentPath, name } of files) {
      const path = relative(from, join(parentPath, name))
      copy(join(from, path), join(to, path))
    }
  }
}

/** Returns the shared libraries of programs, including the loader, by the paths where the loader looks for them. */
const librariesOf = (programs: ReadonlyArray<string>): ReadonlyArray<string> => {
  // On other systems, an image can't be built from local files, but the part with the service can be tested.
  if (process.platform !== "linux") return []
  const paths = programs.flatMap((program) =>
    [...execFileSync("ldd", [program], { encoding: "utf8" }).matchAll(/(?:=> |^\s*)(\/\S+) \(/gm)].map(
      ([, path = ""]) => path
    )
  )
  return [...new Set(paths)].sort()
}

/** Returns a library's Debian package with the path of its license, or undefined on other systems. */
const debianPackage = (library: string) => {
  const owner = [library, `/usr${library}`]
    .map((path) => spawnSync("dpkg-query", ["-S", path], { encoding: "utf8" }).stdout)
    .find((answer) => typeof answer === "string" && answer !== "")
  const [name = "", architecture = ""] = owner?.split(":") ?? []
  if (owner === undefined) return undefined
  const status = execFileSync("dpkg-query", ["-s", name], { encoding: "utf8" })
  const [, version = ""] = /^Version: (\S+)$/m.exec(status) ?? []
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`
  return { component: componentOf("library", name, version, purl), copyright: `/usr/share/doc/${name}/copyright` }
}

/** Returns Node and the components compiled into it, with the versions of this process. */
const nodeComponents = (): ReadonlyArray<Component> => {
  const { node, v8, uv, openssl, zlib, icu, ares, nghttp2, llhttp, brotli, zstd, sqlite } = process.versions
  const parts = { v8, libuv: uv, openssl, zlib, icu, "c-ares": ares, nghttp2, llhttp, brotli, zstd, sqlite }
  return [
    componentOf("application", "node", node, `pkg:generic/nodejs/node@${node}`, {
      cpe: `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*`
    }),
    ...Object.entries(parts).flatMap(([name, version]) =>
      version === undefined ? [] : [componentOf("library", name, version, `pkg:generic/${name}@${version}`)]
    )
  ]
}

/** Copies Node without its debug symbols, which make up a seventh of its size. */
const copyNode = (to: string): void => {
  mkdirSync(dirname(to), { recursive: true })
  const { status } = spawnSync("strip", ["-o", to, process.execPath], { stdio: "ignore" })
  if (status !== 0) copyFileSync(process.execPath, to)
  chmodSync(to, 0o755)
}

/**
 * Assembles the image's content in a folder: Node with its libraries, the bundle, its packages, the migrations,
 * licenses and the bill of materials. There is no shell and no package manager. The user's folders, `data` and
 * `compiled`, are next to `root`, because they have another owner.
 */
export const assembleImage = (repository: string, dist: string, folder: string): void => {
  const root = join(folder, "root")
  const home = join(root, assembledAt)
  copyNode(join(root, "usr/bin/node"))

  // A glob would skip files whose names start with a dot, such as the settings that the guides show.
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { parentPath, name } of files) {
    const path = relative(dist, join(parentPath, name))
    if (!NOT_IN_IMAGE.test(path)) copy(join(dist, path), join(home, "dist", path))
  }
  copyAll(repository, ["sql/migrations/*"], home)
  const { name, version } = packageIn(repository, ".")
  writeFileSync(join(home, "package.json"), `${JSON.stringify({ name, version, type: "module" })}\n`)

  const packages = Object.entries(PACKAGES).flatMap(([pattern, parts]) =>
    globSync(`node_modules/${pattern}`, { cwd: repository })
      .filter((path) => pattern.endsWith("*") || path.endsWith(pattern))
      .map((path) => {
        copyAll(join(repository, path), ["package.json", ...parts], join(home, path))
        return packageIn(repository, path)
      })
  )

  const libraries = librariesOf([process.execPath, ...globSync(join(home, "node_modules/@node-rs/*/*.node"))])
  for (const library of libraries) copy(library, join(root, library))
  const debian = libraries.flatMap((library) => debianPackage(library) ?? [])

  const bundled = JSON.parse(readFileSync(join(home, "dist/sbom.cdx.json"), "utf8")) as {
    readonly components: ReadonlyArray<Component>
  }
  const components = [
    ...bundled.components,
    ...npmComponents(repository, packages),
    ...nodeComponents(),
    ...debian.map(({ component }) => component)
  ]
  writeFileSync(join(home, "sbom.cdx.json"), billOf(repository, components))
  const licenses = join(home, "licenses")
  mkdirSync(licenses)
  writeFileSync(join(licenses, "packages.txt"), licensesOf(repository, packages))
  const nodeLicense = join(dirname(process.execPath), "../LICENSE")
  if (existsSync(nodeLicense)) copy(nodeLicense, join(licenses, "node.txt"))
  for (const { component, copyright } of debian) {
    if (existsSync(copyright)) copy(copyright, join(licenses, `${component.name}.txt`))
  }

  mkdirSync(join(root, "etc"))
  writeFileSync(join(root, "etc/passwd"), `root:x:0:0::/:/\nsallyport:x:${USER}:${USER}::/data:/\n`)
  writeFileSync(join(root, "etc/group"), `root:x:0:\nsallyport:x:${USER}:\n`)
  writeFileSync(join(root, "etc/nsswitch.conf"), "hosts: files dns\n")
  mkdirSync(join(root, "tmp"))
  chmodSync(join(root, "tmp"), 0o1777)
  for (const own of ["data", "compiled"]) mkdirSync(join(folder, own), { recursive: true })
}

if (process.argv[1] === import.meta.filename) {
  const repository = join(import.meta.dirname, "..")
  const [folder = "/image", dist = join(repository, "dist")] = process.argv.slice(2)
  assembleImage(repository, dist, folder)
  console.log(`${basename(folder)} is assembled`)
}
