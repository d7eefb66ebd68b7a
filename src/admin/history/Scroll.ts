/** The number of frames to wait for a page to become long enough. */
const MAX_FRAMES = 120

const inputs = ["wheel", "touchstart", "keydown", "pointerdown"] as const

let stop = () => {}

/** Scrolls the window to a height as soon as the page is long enough. Gives up when the user scrolls. */
export const scrollWhenPossible = (top: number): void => {
  stop()
  let frames = 0
  let isStopped = false
  const cancel = () => {
    isStopped = true
    for (const input of inputs) window.removeEventListener(input, cancel)
  }
  stop = cancel
  for (const input of inputs) window.addEventListener(input, cancel, { passive: true })
  const step = () => {
    if (isStopped) return
    window.scrollTo(0, top)
    frames += 1
    if (Math.abs(window.scrollY - top) <= 1 || frames > MAX_FRAMES) cancel()
    else requestAnimationFrame(step)
  }
  step()
}
