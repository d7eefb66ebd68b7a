import { MemoryFS, PGlite } from "@electric-sql/pglite"
import { entriesOf } from "./Untar.ts"

interface Stream {
  readonly node: Node
}

type Write = (stream: Stream, ...args: ReadonlyArray<unknown>) => number

/** A file or folder in Emscripten's in-memory file system. A file's content is the first `usedBytes` of `contents`. */
interface Node {
  readonly node_ops: { readonly mknod: (folder: Node, name: string, mode: number, device: number) => Node }
  stream_ops: { readonly write: Write }
  contents: Uint8Array
  usedBytes: number
}

const FOLDER = 0o040700
const FILE = 0o100600

/**
 * The files of an in-memory embedded database. They start as an image whose bytes all databases share, and a file is copied
 * at its first write. PGlite's own method takes many times as long, because it unpacks the archive through its file system.
 */
export class PgliteMemory extends MemoryFS {
  readonly #image: Buffer

  constructor(image: Buffer) {
    super()
    this.#image = image
  }

  override async initialSyncFs(): Promise<void> {
    const files = this.pg?.Module.FS
    const { PGDATA } = PGlite.paths
    files?.mkdirTree(PGDATA, 0o700)
    const root: Node | undefined = files?.lookupPath(PGDATA, {}).node
    if (root === undefined) return
    const image = new Uint8Array(this.#image.buffer, this.#image.byteOffset, this.#image.length)
    const folders = new Map([["", root]])
    for (const { path, isFolder, from, to } of entriesOf(this.#image)) {
      const slash = path.lastIndexOf("/")
      const folder = folders.get(path.slice(0, Math.max(slash, 0)))
      if (folder === undefined || path === "") continue
      const node = folder.node_ops.mknod(folder, path.slice(slash + 1), isFolder ? FOLDER : FILE, 0)
      if (isFolder) folders.set(path, node)
      else share(node, image.subarray(from, to))
    }
  }
}

/** Sets a file's content to shared bytes. */
const share = (node: Node, bytes: Uint8Array): void => {
  const { write } = node.stream_ops
  node.contents = bytes
  node.usedBytes = bytes.length
  node.stream_ops = {
    ...node.stream_ops,
    write: (stream, ...args) => {
      if (node.contents === bytes) node.contents = bytes.slice()
      return write(stream, ...args)
    }
  }
}
