import {
  isValidElement,
  memo,
  useDeferredValue,
  useMemo,
  useRef,
  type ComponentPropsWithoutRef,
  type ReactNode,
} from 'react'
import ReactMarkdown, { type Components, type Options } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import { CopyButton } from '../../ground/copy-button'
import { later } from '../../ground/on-demand'
import { CodeBlock } from './code-block'

/** One dollar is money as often as it is a formula; two always are one. */
const PLUGINS: Options['remarkPlugins'] = [remarkGfm, [remarkMath, { singleDollarTextMath: false }]]
/** What draws formulas, loaded when the first text with one is shown: it is larger than all else that a text needs. */
const FORMULA_PARTS = later(async () => (await import('./formulas')).FORMULAS)
const hasFormulas = (markdown: string): boolean => markdown.includes('$$') || markdown.includes('math')

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
  ol: ({ children, start }) => (
    <ol start={start} className="list-decimal space-y-1 pl-5">
      {children}
    </ol>
  ),
  blockquote: ({ children }) => <blockquote className="border-l-2 pl-3 text-muted">{children}</blockquote>,
  hr: () => <hr className="border-t" />,
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer noopener" title={href} className="text-accent underline">
      {children}
    </a>
  ),
  img: ({ alt }) => <Told words={alt} />,
  pre: ({ children }) => <FencedCode writing={false}>{children}</FencedCode>,
  code: Code,
  table: Table,
  th: ({ children, style }) => (
    <th className="border-b bg-sunken px-2.5 py-1.5 text-left font-medium" style={style}>
      {children}
    </th>
  ),
  td: ({ children, style }) => (
    <td className="border-b border-line px-2.5 py-1.5 align-top" style={style}>
      {children}
    </td>
  ),
}

/** The same while more comes. */
const WRITING: Components = { ...PARTS, pre: ({ children }) => <FencedCode writing>{children}</FencedCode> }

/** A stretch of code: what stands in the fence, and the language that it names. */
function FencedCode({ children, writing }: { children?: ReactNode; writing: boolean }) {
  const { children: text, className = '' } = isValidElement<ComponentPropsWithoutRef<'code'>>(children)
    ? children.props
    : { children }
  const language = /language-(\S+)/.exec(className)?.[1] ?? ''
  return <CodeBlock code={String(text ?? '').replace(/\n$/, '')} language={language} writing={writing} />
}

/** A table that is copied as spreadsheets take it. */
function Table({ children }: { children?: ReactNode }) {
  const table = useRef<HTMLTableElement>(null)
  const text = () =>
    [...(table.current?.rows ?? [])]
      .map(({ cells }) => [...cells].map((cell) => cell.innerText.replace(/\s+/g, ' ').trim()).join('\t'))
      .join('\n')
  return (
    <div className="flex flex-col">
      <div className="-mb-1 flex justify-end">
        <CopyButton what="table" text={text} />
      </div>
      <div className="overflow-x-auto rounded-md border" tabIndex={0} role="group" aria-label="Table">
        <table ref={table} className="w-full border-collapse text-sm">
          {children}
        </table>
      </div>
    </div>
  )
}

function Code({ children, className }: ComponentPropsWithoutRef<'code'>) {
  const block = className !== undefined || String(children).includes('\n')
  return <code className={block ? undefined : 'rounded bg-sunken px-1 py-0.5 text-xs'}>{children}</code>
}

/** What begins and ends code and formulas, longer marks first, and how a formula is written that Markdown knows in another form; `line` is all that its line has before and after it. */
const MARKS: readonly { open: string; close: string; write?(formula: string, line: string): string }[] = [
  { open: '```', close: '```' },
  { open: '`', close: '`' },
  { open: '\\(', close: '\\)', write: (formula) => `$$${formula}$$` },
  { open: '\\[', close: '\\]', write: (formula) => `\n$$\n${formula.trim()}\n$$\n` },
  {
    ...{ open: '$$', close: '$$' },
    // Alone on its line it stands apart, as models mean it.
    write: (formula, line) =>
      line.trim() === '' && !formula.includes('\n') ? `$$\n${line}${formula}\n${line}$$` : `$$${formula}$$`,
  },
  { open: '$', close: '$', write: (formula) => `$$${formula}$$` },
]

/** Between two single dollars stands money, a name or a formula: one has no space at its ends and touches no word, and reads as no words. */
const isFormula = (inner: string, before: string, after: string): boolean =>
  !/^\s|\s$|[\n`]/.test(inner) &&
  !/[\p{L}\d\\$]/u.test(before + after) &&
  (/[\\^_=]/.test(inner) || !/\p{L}\p{L}/u.test(inner))

/** `$x$`, `\\(x\\)` and `\\[x\\]`, as many models write formulas, in the form that Markdown knows; code stays as it is. */
export function withDollars(text: string): string {
  if (!MARKS.some(({ open, write }) => write && text.includes(open))) return text
  let output = ''
  let at = 0
  /** Marks that are not closed anywhere further on. */
  const open = new Set<string>()
  while (at < text.length) {
    const mark = MARKS.find((one) => text.startsWith(one.open, at))
    const length = mark?.open.length ?? 0
    const end = mark === undefined || open.has(mark.close) ? -1 : text.indexOf(mark.close, at + length)
    if (mark && end < 0) open.add(mark.close)
    const inner = text.slice(at + length, end)
    const isOne =
      end >= 0 && (mark?.open !== '$' || isFormula(inner, text.charAt(at - 1), text.charAt(end + 1)))
    if (mark && isOne) {
      const line = output.slice(output.lastIndexOf('\n') + 1) + text.slice(end + length).split('\n', 1)[0]
      output += mark.write?.(inner, line) ?? text.slice(at, end + length)
      at = end + length
    } else {
      // What is not closed yet stays as it is, a stretch at a time.
      const step = nextMark(text, at + 1)
      output += text.slice(at, step)
      at = step
    }
  }
  return output
}

/** The next place where code or a formula may begin. */
function nextMark(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if ('`\\$'.includes(text.charAt(at))) return at
  return text.length
}

interface MarkdownText {
  readonly text: string
  readonly picture?: (name: string, words: string) => ReactNode
  readonly writing?: boolean
}

/**
 * Markdown as a model or a person wrote it, with tables, code and formulas: no raw HTML, nothing that is loaded from elsewhere. `picture` shows a picture by
 * its name; null, or no `picture`, tells it by its words. `writing`: more of it comes. Default: it is whole. Of a long text the first part is there at once.
 */
export function Markdown({ text, ...how }: MarkdownText) {
  const pieces = useMemo(() => piecesOf(text), [text])
  const pieceCount = useDeferredValue(pieces.length, 1)
  return (
    <div className="flex flex-col gap-3 leading-[1.375rem]">
      {pieces.slice(0, pieceCount).map((piece, i) => (
        <Piece key={i} text={piece} {...how} />
      ))}
    </div>
  )
}

const Piece = memo(({ text, picture, writing = false }: MarkdownText) => {
  const parts = useMemo((): Components => {
    const own = writing ? WRITING : PARTS
    return picture
      ? { ...own, img: ({ src, alt = '' }) => picture(String(src ?? ''), alt) ?? <Told words={alt} /> }
      : own
  }, [picture, writing])
  const markdown = withDollars(text)
  const formulas = FORMULA_PARTS.use(hasFormulas(markdown))
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} rehypePlugins={formulas} components={parts} skipHtml>
      {markdown}
    </ReactMarkdown>
  )
})

const Told = ({ words }: { words: string | undefined }) => (
  <span className="text-muted">[picture{words ? `: ${words}` : ''}]</span>
)

/** Text in parts that can be drawn by themselves: apart at blank lines, but not within fenced code or a formula of several lines. */
export function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let block: string[] = []
  let fence: string | null = null
  for (const line of text.split('\n')) {
    const mark = ['```', '~~~', '$$', '\\[', '\\]'].find((one) => line.trimStart().startsWith(one)) ?? null
    if (fence === null && mark !== null && mark !== '\\]') fence = isClosedIn(line, mark) ? null : mark
    else if (fence !== null && mark === (fence === '\\[' ? '\\]' : fence)) fence = null
    block.push(line)
    if (line.trim() === '' && fence === null && block.some((one) => one.trim() !== '')) {
      blocks.push(block.join('\n'))
      block = []
    }
  }
  if (block.some((one) => one.trim() !== '')) blocks.push(block.join('\n'))
  return blocks
}

/** A formula that begins and ends on its line. */
const isClosedIn = (line: string, mark: string): boolean =>
  (mark === '$$' && line.trim().length > 2 && line.trimEnd().endsWith('$$')) ||
  (mark === '\\[' && line.includes('\\]'))

/** Characters from which on a text is drawn in pieces. */
const LONG = 4000
/** What a line begins with that goes on with what stands before it, a list or its parts, or that is meant elsewhere. */
const GOES_ON = /^(?:\s|[-*+>|]|\d)/
const MEANT_ELSEWHERE = /^ {0,3}\[[^\]]+\]:/

/** Text in pieces of at least {@link LONG} characters that read apart as they do together; one, where it is short or refers to its own ends. */
export function piecesOf(text: string): string[] {
  if (text.length < 2 * LONG || text.split('\n').some((line) => MEANT_ELSEWHERE.test(line))) return [text]
  const pieces: string[] = []
  for (const block of blocksOf(text)) {
    const last = pieces.at(-1)
    if (last === undefined || (last.length >= LONG && !GOES_ON.test(block))) pieces.push(block)
    else pieces[pieces.length - 1] = `${last}\n${block}`
  }
  return pieces
}
