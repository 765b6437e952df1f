import { useMemo, type ComponentPropsWithoutRef, type ReactNode } from 'react'
import ReactMarkdown, { type Components, type Options } from 'react-markdown'
import rehypeKatex from 'rehype-katex'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'

/** One dollar is money as often as it is a formula; two always are one. */
const PLUGINS: Options['remarkPlugins'] = [remarkGfm, [remarkMath, { singleDollarTextMath: false }]]
/** Formulas become MathML, which the browser draws: no style, no font, and nothing in one that could load or link. */
const MATH: Options['rehypePlugins'] = [
  [rehypeKatex, { output: 'mathml', strict: 'ignore', trust: false, maxExpand: 200, maxSize: 20 }],
]

const heading = (look: string) =>
  function Heading({ children }: { children?: ReactNode }) {
    return <h4 className={look}>{children}</h4>
  }

/** What a model wrote never loads anything: links say where they lead, pictures are told by their words. */
const PARTS: Components = {
  h1: heading('text-lg font-semibold'),
  h2: heading('text-base font-semibold'),
  h3: heading('font-semibold'),
  h4: heading('font-medium'),
  h5: heading('font-medium'),
  h6: heading('font-medium'),
  p: ({ children }) => <p className="[overflow-wrap:anywhere]">{children}</p>,
  ul: ({ children }) => <ul className="list-disc space-y-1 pl-5">{children}</ul>,
  ol: ({ children }) => <ol className="list-decimal space-y-1 pl-5">{children}</ol>,
  blockquote: ({ children }) => <blockquote className="border-l-2 pl-3 text-muted">{children}</blockquote>,
  hr: () => <hr className="border-t" />,
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer noopener" title={href} className="text-accent underline">
      {children}
    </a>
  ),
  img: ({ alt }) => <Told words={alt} />,
  pre: ({ children }) => (
    <pre className="overflow-x-auto rounded-md bg-sunken px-3 py-2 text-xs leading-[18px]" tabIndex={0}>
      {children}
    </pre>
  ),
  code: Code,
  table: ({ children }) => (
    <div className="overflow-x-auto rounded-md border" tabIndex={0} role="group" aria-label="Table">
      <table className="w-full border-collapse text-sm">{children}</table>
    </div>
  ),
  th: ({ children }) => (
    <th className="border-b bg-sunken px-2.5 py-1.5 text-left font-medium">{children}</th>
  ),
  td: ({ children }) => <td className="border-b border-line px-2.5 py-1.5 align-top">{children}</td>,
}

function Code({ children, className }: ComponentPropsWithoutRef<'code'>) {
  const block = className !== undefined || String(children).includes('\n')
  return <code className={block ? undefined : 'rounded bg-sunken px-1 py-0.5 text-xs'}>{children}</code>
}

/** `\\(x\\)` and `\\[x\\]`, as many models write formulas, in the form that Markdown knows; code stays as it is. */
export function withDollars(text: string): string {
  if (!text.includes('\\(') && !text.includes('\\[')) return text
  return text
    .split(/(```[^]*?(?:```|$)|`[^`\n]*`)/)
    .map((part, i) =>
      i % 2 === 1
        ? part
        : part
            .replace(/\\\(([^\n]{1,2000}?)\\\)/g, (_all, formula: string) => `$$${formula}$$`)
            .replace(/\\\[([^]{1,4000}?)\\\]/g, (_all, formula: string) => `\n$$\n${formula.trim()}\n$$\n`),
    )
    .join('')
}

/**
 * Markdown as a model or a person wrote it, with tables, code and formulas: no raw HTML, nothing that is loaded from elsewhere. `picture` shows a picture by
 * its name; null, or no `picture`, tells it by its words.
 */
export function Markdown({
  text,
  picture,
}: {
  text: string
  picture?: (name: string, words: string) => ReactNode
}) {
  const parts = useMemo(
    (): Components =>
      picture
        ? { ...PARTS, img: ({ src, alt = '' }) => picture(String(src ?? ''), alt) ?? <Told words={alt} /> }
        : PARTS,
    [picture],
  )
  return (
    <div className="flex flex-col gap-3 leading-[22px]">
      <ReactMarkdown remarkPlugins={PLUGINS} rehypePlugins={MATH} components={parts} skipHtml>
        {withDollars(text)}
      </ReactMarkdown>
    </div>
  )
}

const Told = ({ words }: { words: string | undefined }) => (
  <span className="text-muted">[picture{words ? `: ${words}` : ''}]</span>
)
