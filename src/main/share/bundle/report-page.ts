import { MEMORY_KINDS } from '../../../core/memory'
import type { ItemHead } from '../../../core/memory/items/kind'
import { memorySourceOf } from '../../items/memory-items'
import type { StoredMemory } from '../../memory-store/memory'
import type { BundleManifest } from '../../bundle/manifest'

/** Items of a kind that the page shows. */
const SHOWN = 20

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** A bundle for people to read in a browser: no script, nothing loaded from elsewhere. */
export async function reportPage(space: StoredMemory, about: Omit<BundleManifest, 'files'>): Promise<string> {
  const source = memorySourceOf(space)
  const rows = Object.entries(about.counts)
    .map(([kind, count]) => `<tr><td>${escaped(kind)}</td><td>${count}</td></tr>`)
    .join('')
  const sections: string[] = []
  // Titles may hold what was taken out of the data.
  for (const kind of Object.keys(about.redacted).length > 0 ? [] : MEMORY_KINDS) {
    if (!(about.counts[kind.info.id] ?? 0)) continue
    const heads: ItemHead[] = []
    for (const head of await kind.heads(source))
      if (head.gone === null && heads.push(head) > SHOWN) heads.shift()
    const items = await Promise.all(
      heads.reverse().map(async ({ id }) => (await kind.read(source, id))?.title ?? id),
    )
    sections.push(
      `<h2>${escaped(kind.info.titleMany)}</h2><p>${escaped(kind.info.help)} The newest ${items.length}:</p><ul>${items
        .map((title) => `<li>${escaped(title.slice(0, 300))}</li>`)
        .join('')}</ul>`,
    )
  }
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(about.space.name)}</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}td{padding:.1rem 1rem .1rem 0}</style></head>
<body><h1>${escaped(about.space.name)}</h1>
<p>A memory written by Loam ${escaped(about.loam)} on ${escaped(about.createdAt)}. Encoder: ${escaped(about.encoder.id)}. Models: ${escaped(about.models.join(', ') || 'none')}. Licence: ${escaped(about.licence ?? 'not named')}.</p>
${about.provenance === null ? '' : `<p>${escaped(about.provenance)}</p>`}
<table>${rows}</table>
${sections.join('\n')}
</body></html>
`
}
