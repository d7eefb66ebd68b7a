import { connect } from "node:net"
import { wireService } from "./sallyport.ts"

/** The responses in the text of a connection. */
const answersIn = (text: string) =>
  text.split(/(?=HTTP\/1\.1 \d{3} )/).map((answer) => {
    const [head = "", body = ""] = answer.split("\r\n\r\n", 2)
    const [first = "", ...lines] = head.split("\r\n")
    const headers = new Headers(
      lines.map((line): [string, string] => [line.split(": ")[0] ?? "", line.split(": ")[1] ?? ""])
    )
    return { status: Number(first.split(" ")[1]), headers, body }
  })

/** Writes bytes on a new connection and reads until the service closes it. */
export const raw = async (bytes: string, hangUp = false): Promise<ReturnType<typeof answersIn>> => {
  const port = Number(new URL((await wireService()).url).port)
  const text = await new Promise<string>((resolve) => {
    const chunks: Array<Buffer> = []
    const done = () => resolve(Buffer.concat(chunks).toString("latin1"))
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(Buffer.from(bytes, "latin1"))
      if (hangUp) socket.end()
    })
    socket.on("data", (chunk) => chunks.push(chunk))
    socket.on("error", () => undefined)
    socket.on("close", done)
  })
  return text === "" ? [] : answersIn(text)
}
