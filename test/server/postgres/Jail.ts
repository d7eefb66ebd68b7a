import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process"
import { chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assembledAt, USER } from "../../../build/Container.ts"
import { flags } from "../ServerProcess.ts"

/** The image in a folder, whose programs run as a container engine would run them. */
export interface Jail {
  /** The folder that is the image's root, and the folders that belong to its user. */
  readonly root: string
  readonly data: string
  readonly compiled: string
  /** The folder that containers see as `/run/secrets`. */
  readonly secrets: string
  /** Whether programs see only the image, can't write to it and have no privileges. */
  readonly isClosed: boolean
  /** Runs the image's program with the image's Node and the given environment variables. */
  readonly run: (
    words: ReadonlyArray<string>,
    environment: Readonly<Record<string, string | undefined>>
  ) => ChildProcessWithoutNullStreams
  readonly remove: () => void
}

/**
 * Does what an engine does: a separate root that is read-only except for volumes and /tmp, and an unprivileged user
 * that can't become another one.
 */
const enter = `set -e
root=$1
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --bind "$root/../data" "$root/data"
mount --bind "$root/../compiled" "$root${assembledAt}/dist/compiled"
mount --bind "$root/../secrets" "$root/run/secrets"
mount --rbind /proc "$root/proc"
mount --bind /dev "$root/dev"
shift
exec setpriv --no-new-privs chroot --userspec=${USER}:${USER} --groups= "$root" "$@"`

/** Without a root user and namespaces, the programs run unconfined. */
const canClose = (): boolean =>
  process.getuid?.() === 0 && spawnSync("unshare", ["--mount", "setpriv", "--no-new-privs", "true"]).status === 0

/** Assembles an image in a new folder, whose subfolder `root` becomes the root of its containers. */
export const makeJail = (assemble: (folder: string) => void): Jail => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-image-"))
  const [root, data, compiled, secrets] = ["root", "data", "compiled", "secrets"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string
  ]
  assemble(folder)
  const isClosed = canClose()
  // A container engine creates these.
  for (const path of ["data", `${assembledAt}/dist/compiled`, "run/secrets", "proc", "dev"]) {
    mkdirSync(join(root, path), { recursive: true })
  }
  for (const own of [data, compiled, secrets]) mkdirSync(own, { recursive: true })
  if (isClosed) for (const own of [data, compiled]) chownSync(own, USER, USER)
  const run: Jail["run"] = (words, environment) => {
    const program = [`${assembledAt}/dist/sallyport.js`, ...words]
    const env = { PATH: process.env["PATH"], ...environment }
    if (isClosed) {
      return spawn("unshare", ["--mount", "sh", "-c", enter, "sh", root, "/usr/bin/node", ...flags, ...program], {
        env
      })
    }
    const inFolder = Object.entries(env).map(([name, value]) => [
      name,
      value?.replace("/run/secrets", secrets).replace(/^\/data$/, data)
    ])
    const [file = "", ...others] = program
    return spawn(join(root, "usr/bin/node"), [...flags, join(root, file), ...others], {
      env: Object.fromEntries(inFolder)
    })
  }
  return {
    root,
    data,
    compiled,
    secrets,
    isClosed,
    run,
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
