import { Context } from "effect"

/** The stdin and stdout of a command as bytes; replaced in tests. */
export const StandardStreams = Context.Reference<{
  readonly input: AsyncIterable<Buffer> & { readonly isTTY?: boolean | undefined }
  readonly output: {
    readonly write: (bytes: Uint8Array, done: (error?: Error | null) => void) => unknown
  }
}>("sallyport/cli/StandardStreams", {
  defaultValue: () => ({ input: process.stdin, output: process.stdout })
})
