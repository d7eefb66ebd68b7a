import { request } from "node:http"
import { Reply } from "#testing/Api"

/** A GET with headers that `fetch` doesn't allow, such as `Host`. */
export const getWith = (url: string, headers: Readonly<Record<string, string>>): Promise<Reply> =>
  new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      const chunks: Array<Buffer> = []
      const pairs = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)])
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () =>
        resolve(new Reply(response.statusCode ?? 0, new Headers(pairs), Buffer.concat(chunks).toString()))
      )
    })
      .on("error", reject)
      .end()
  })
