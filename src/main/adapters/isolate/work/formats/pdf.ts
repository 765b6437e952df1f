import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The text of a PDF, page by page, in reading order as far as the file gives it. Scanned pages have none. */
export async function readPdf(bytes: Uint8Array): Promise<string> {
  const { getDocument, VerbosityLevel } = await loadLibrary()
  const library = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const loading = getDocument({
    data: bytes.slice(),
    verbosity: VerbosityLevel.ERRORS,
    standardFontDataUrl: join(library, 'standard_fonts', '/'),
    cMapUrl: join(library, 'cmaps', '/'),
    cMapPacked: true,
    useSystemFonts: false,
    disableFontFace: true,
  })
  try {
    const document = await loading.promise
    const pages: string[] = []
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number)
      const { items } = await page.getTextContent()
      const text = items
        .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
        .join('')
        .trim()
      pages.push(`## Page ${number}\n\n${text === '' ? '(no text on this page; it may be a scan)' : text}`)
      page.cleanup()
    }
    return pages.join('\n\n')
  } finally {
    await loading.destroy()
  }
}

/** The library makes a matrix for drawing as it loads; where nothing is drawn, any object will do. */
function loadLibrary() {
  Object.assign(globalThis, { DOMMatrix: Object })
  return import('pdfjs-dist/legacy/build/pdf.mjs')
}
