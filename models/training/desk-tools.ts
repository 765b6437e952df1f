/** The tools of desks: the built-in servers for documents and arithmetic, as an executor is told of them. Needs a build. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolBox, ToolInfo } from '../../src/core/ground/tools'
import { openToolBox } from '../../src/main/mcp/tool-box'
import { builtInSpec } from '../../src/main/tools/server-specs'
import { toolSettingsSchema } from '../../src/shared/domain/tool'

/** The built-in servers that desks are played with. */
export const DESK_SERVERS = ['documents', 'math'] as const

/** The servers themselves over a folder, until they are closed. */
export const openDeskBox = (folder: string): Promise<ToolBox & { close(): Promise<void> }> =>
  openToolBox({
    client: { name: 'loam', version: '0' },
    servers: DESK_SERVERS.map((id) =>
      builtInSpec(id, { tools: toolSettingsSchema.parse({}), network: false, folder }),
    ),
    folder,
    allowed: 'all',
    ask: () => Promise.resolve('no'),
    secrets: [],
    backOffMs: [10],
    changes: () => false,
  })

/** What the servers say of their tools. */
export async function toolsOfDesks(): Promise<readonly ToolInfo[]> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-desk-'))
  const box = await openDeskBox(folder)
  try {
    return [...box.list()]
  } finally {
    await box.close()
    await rm(folder, { recursive: true, force: true })
  }
}
