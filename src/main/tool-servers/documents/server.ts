import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { addTool, page, PAGE } from '../answer'
import type { DocumentsOptions } from './options'
import { DocumentReader } from '../../adapters/isolate/read-documents'
import { findAllowed } from '../roots'
import type { ToolServer } from '../module'
import { walkFolder } from '../../ground/walk-folder'

/** Files of many kinds as Markdown. */
export function openDocumentsServer(options: DocumentsOptions, version: string): ToolServer {
  const reader = new DocumentReader(options.timeLimit * 1000)
  const mcp = new McpServer({ name: 'loam-documents', version })
  addTool(mcp, {
    name: 'read_document',
    description:
      'Reads a file as Markdown, page by page: pdf, docx, xlsx, pptx, csv, json, xml, html, zip (its listing, or with ' +
      '"inner" one of its files), plain text and code.',
    input: {
      path: z.string().min(1).describe('as list_documents names it'),
      inner: z.string().optional().describe('a file inside a zip archive'),
      ...PAGE,
    },
    answer: async (args, signal) => {
      const file = await findAllowed(options.root, args.path)
      return page(await reader.read(file, args.inner ?? null, signal), args.offset, args.limit)
    },
  })
  addTool(mcp, {
    name: 'list_documents',
    description: 'Names and sizes of the files that can be read.',
    input: { containing: z.string().optional().describe('only names that contain this') },
    answer: async (args) => {
      const target = args.containing?.toLowerCase() ?? ''
      const lines: string[] = []
      for (const root of options.root) {
        const { files, more } = await walkFolder(root, 2000)
        const namedFiles = files.filter(({ name }) => name.toLowerCase().includes(target))
        lines.push(
          ...namedFiles.map(({ name, bytes }) => `${name} (${bytes} bytes)`),
          ...(more ? ['and more'] : []),
        )
      }
      return lines.length === 0 ? 'There are no such files.' : lines.join('\n')
    },
  })
  return { mcp, close: () => reader.close() }
}
