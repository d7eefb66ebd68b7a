import { Context } from "effect"

/** What is piped into a command and out of it, as bytes; tests have their own. */
export const StandardStreams = Context.Reference<{
  readonly input: AsyncIterable<Buffer> & { readonly isTTY?: boolean | undefined }
  readonly output: {
    readonly write: (bytes: Uint8Array, done: (error?: Error | null) => void) => unknown
  }
}>("sallyport/cli/StandardStreams", {
  defaultValue: () => ({ input: process.stdin, output: process.stdout })
})
