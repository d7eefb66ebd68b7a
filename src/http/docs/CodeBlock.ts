import { type Html, html } from "#platform/Html"
import { highlighted } from "./Highlight.ts"

/** A block of code in the docs. */
interface CodeBlock {
  readonly language: string
  readonly code: string
  readonly caption?: string | undefined
  /** Whether the block shows the output of a command. */
  readonly isOutput?: boolean
}

/** Renders highlighted code. The script of the docs adds a button for copying it, except to outputs. */
export const codeBlock = ({ language, code, caption, isOutput = false }: CodeBlock): Html =>
  html`<figure${isOutput && html` class="answer"`}>${caption !== undefined && html`<figcaption>${caption}</figcaption>`}<pre tabindex="0"><code>${highlighted(language, code)}</code></pre></figure>
`
