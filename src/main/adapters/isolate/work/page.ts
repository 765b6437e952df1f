import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import type { Work } from '../../../ground/isolate/protocol'
import { readHtml, toMarkdown } from './formats/html'

export interface PageRequest {
  readonly html: string
  readonly url: string
}

/** What a person would read on a page, as Markdown; the whole page where no article is found in it. */
export function openPages(): Work<PageRequest, string> {
  return ({ html, url }) => {
    const { document } = parseHTML(html)
    const base = document.createElement('base')
    base.setAttribute('href', url)
    document.head?.prepend(base)
    const article = new Readability(document as unknown as Document, { serializer: (node) => node }).parse()
    if (!article?.content) return readHtml(html)
    const head = [article.title ? `# ${article.title}` : '', article.byline ?? ''].filter(
      (line) => line !== '',
    )
    return [...head, toMarkdown(article.content)].join('\n\n')
  }
}
