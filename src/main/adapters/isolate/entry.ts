import { serveIsolate, type OpenWork } from './serve-isolate'

const openWork: OpenWork = async ({ work, folder }) => {
  switch (work) {
    case 'javascript':
      return (await import('./work/javascript')).openJavaScript()
    case 'python':
      return (await import('./work/python')).openPython(folder)
    case 'shell':
      return (await import('./work/shell')).openShell()
    case 'math':
      return (await import('./work/math')).openMath()
    case 'document':
      return (await import('./work/document')).openDocuments()
    case 'rows':
      return (await import('./work/rows')).openRows()
    case 'gguf':
      return (await import('./work/gguf')).openGguf()
    case 'bundle':
      return (await import('./work/bundle')).openBundles()
    case 'workbook':
      return (await import('./work/workbook')).openWorkbooks()
    case 'memory-file':
      return (await import('./work/memory-file')).openMemoryFiles()
    case 'texts':
      return (await import('./work/texts')).openTexts()
    case 'answers':
      return (await import('./work/answers')).openAnswers()
    case 'page':
      return (await import('./work/page')).openPages()
    case 'module-format':
      throw new Error('Formats of modules have an entry of their own.')
  }
}

await serveIsolate(import.meta.filename, openWork)
