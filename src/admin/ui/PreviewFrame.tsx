import { useEffect, useRef, useState } from "react"
import { consolePath } from "../calls/ServiceUrls.ts"

interface PreviewFrameProps {
  readonly title: string
  /** The document to show. Its scripts don't run and its links don't work. */
  readonly html: string
  /** The simulated window width, in pixels. Scaled down if there is less space. */
  readonly width: number
  readonly height: number
  /** Whether the document is an email that was captured, which must not load remote images. */
  readonly isMail?: boolean
}

/** Shows an untrusted document in a fully sandboxed frame. */
export const PreviewFrame = ({ title, html, width, height, isMail = false }: PreviewFrameProps) => {
  const room = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  const [scale, setScale] = useState(1)

  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent<unknown>) => {
      if (source === frame.current?.contentWindow && data === "ready") setReady(true)
    }
    window.addEventListener("message", onMessage)
    return () => window.removeEventListener("message", onMessage)
  }, [])

  useEffect(() => {
    // The frame has an opaque origin, so "*" is the only possible target.
    if (isReady) frame.current?.contentWindow?.postMessage(html, "*")
  }, [isReady, html])

  useEffect(() => {
    const around = room.current
    if (around === null) return
    const observer = new ResizeObserver(() => setScale(Math.min(1, around.clientWidth / width)))
    observer.observe(around)
    return () => observer.disconnect()
  }, [width])

  return (
    <div ref={room} className="preview-room" style={{ height: height * scale }}>
      <iframe
        ref={frame}
        title={title}
        src={`${consolePath}/preview/${isMail ? "mail" : "frame"}`}
        sandbox="allow-scripts"
        tabIndex={-1}
        style={{ width, height, transform: `scale(${scale})` }}
      />
    </div>
  )
}
