/** The maximum width and height of a logo, in pixels. The service rejects larger ones. */
const MAX_PIXELS = 4_096

/** The maximum length of a logo's data URL. The service rejects longer ones. */
const MAX_LENGTH = 92_000

/** The size at which a logo's colors are examined, in pixels. */
const SAMPLE_WIDTH = 96

/** The height of logos in emails, in pixels. They are shown at half the size, to be sharp on dense screens. */
const EMAIL_HEIGHT = 80

const MAX_EMAIL_WIDTH = 480

/** Whether an image may be decoded. Reads the size of a PNG from its header, because a small file can be a huge image. */
const isDecodable = (url: string): boolean => {
  if (url.length > MAX_LENGTH) return false
  const [, base64] = /^data:image\/png;base64,([A-Za-z\d+/]{44})/.exec(url) ?? []
  if (base64 === undefined) return url.startsWith("data:image/svg+xml;base64,")
  const header = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const sides = new DataView(header.buffer)
  return sides.getUint32(16) <= MAX_PIXELS && sides.getUint32(20) <= MAX_PIXELS
}

const load = (url: string): Promise<HTMLImageElement | undefined> =>
  new Promise((resolve) => {
    const image = new Image()
    image.onload = () => resolve(image)
    image.onerror = () => resolve(undefined)
    image.src = url
  })

/** Draws a logo on a transparent canvas. `sizeOf` returns the width and height for the ratio of the two. */
const draw = async (url: string, sizeOf: (ratio: number) => readonly [width: number, height: number]) => {
  const image = isDecodable(url) ? await load(url) : undefined
  if (image === undefined) return undefined
  const ratio = image.naturalHeight === 0 ? 4 : image.naturalWidth / image.naturalHeight
  const canvas = document.createElement("canvas")
  const [width, height] = sizeOf(ratio)
  canvas.width = Math.max(1, Math.round(width))
  canvas.height = Math.max(1, Math.round(height))
  const context = canvas.getContext("2d", { willReadFrequently: true })
  if (context === null) return undefined
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return { canvas, context }
}

/** Returns the pixels of a logo at a small size, or undefined if it is no image or too large. */
export const logoPixels = async (url: string): Promise<ImageData | undefined> => {
  const drawn = await draw(url, (ratio) => [SAMPLE_WIDTH, SAMPLE_WIDTH / ratio])
  return drawn?.context.getImageData(0, 0, drawn.canvas.width, drawn.canvas.height)
}

/** Makes a PNG of an SVG logo, for emails. Returns undefined if the logo can't be drawn. */
export const emailLogoOf = async (url: string): Promise<string | undefined> => {
  const drawn = await draw(url, (ratio) =>
    ratio * EMAIL_HEIGHT > MAX_EMAIL_WIDTH
      ? [MAX_EMAIL_WIDTH, MAX_EMAIL_WIDTH / ratio]
      : [ratio * EMAIL_HEIGHT, EMAIL_HEIGHT]
  )
  return drawn?.canvas.toDataURL("image/png")
}

export const isSvg = (url: string): boolean => url.startsWith("data:image/svg+xml")
