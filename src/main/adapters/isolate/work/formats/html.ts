import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'
import { markdownTable } from './markdown'

/** A page's or fragment's content as Markdown. Scripts, styles and images without words are left out. */
export function readHtml(html: string): string {
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`)
  const title = document.querySelector('title')?.textContent?.trim() ?? ''
  const body = toMarkdown(document.body)
  return title === '' || body.startsWith(`# ${title}`) ? body : `# ${title}\n\n${body}`
}

/** A DOM node's content as Markdown. */
export function toMarkdown(node: unknown): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  })
  service.remove(['script', 'style', 'noscript', 'iframe', 'object', 'template'] as never)
  service.addRule('image', {
    filter: 'img',
    replacement: (_text, image) => {
      const words = (image as unknown as { getAttribute(name: string): string | null })
        .getAttribute('alt')
        ?.trim()
      return words ? `[image: ${words}]` : ''
    },
  })
  service.addRule('table', {
    filter: 'table',
    replacement: (_text, table) => `\n\n${tableText(table as unknown as TableNode)}\n\n`,
  })
  return service.turndown(node as never).trim()
}

interface TableNode {
  querySelectorAll(selector: string): Iterable<TableNode>
  readonly textContent: string | null
}

const tableText = (table: TableNode): string => {
  const rows = [...table.querySelectorAll('tr')].map((row) =>
    [...row.querySelectorAll('th, td')].map(
      ({ textContent }) => textContent?.trim().replace(/\s+/g, ' ') ?? '',
    ),
  )
  return markdownTable(rows)
}
