import { expect, test } from 'vitest'
import type { GenerateRequest } from '../../../src/core/ground/chat'
import { startModelServer } from '../../fixtures/model-server'
import { parrotSaying } from './parrot'
import { askAndWait, hasTools, useAsksRig } from './rig'

const openRig = useAsksRig()

/** What a model of that name reads of an ask for which the calculator was chosen. */
async function readBy(name: string): Promise<string> {
  const requests: GenerateRequest[] = []
  const parrot = parrotSaying('It is done.')
  const server = await startModelServer(name, {
    ...parrot,
    generate: (request, options) => {
      requests.push(request)
      return parrot.generate(request, options)
    },
  })
  try {
    const { app } = await openRig()
    const text = 'What is 17 times 23?'
    await askAndWait(app, { text, model: `openai:${name}@${server.url}`, tools: ['math'], remember: false })
    return requests.flatMap(({ messages }) => messages.map(({ content }) => content)).join('\n')
  } finally {
    await server.close()
  }
}

test.skipIf(!hasTools)(
  'a model too small for the tools it was told to use reads the sum as well',
  async () => {
    expect(await readBy('parrot-135m')).toContain('17 times 23 = 391')
    expect(await readBy('parrot-7b')).not.toContain('391')
  },
)
