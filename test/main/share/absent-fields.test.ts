import { expect, it } from 'vitest'
import { mem0AddSchema, mem0ListSchema, mem0SearchSchema } from '../../../src/main/share/mem0-calls'
import { anthropicRequest, anthropicSchema } from '../../../src/main/share/proxy/anthropic-local'

it('a message of Anthropic’s protocol needs no system text', () => {
  const body = anthropicSchema.parse({ model: 'm', messages: [{ role: 'user', content: 'Name a colour.' }] })
  expect(anthropicRequest(body).messages).toEqual([{ role: 'user', content: 'Name a colour.' }])
})

it('a call of mem0’s needs no filters, and a message no words', () => {
  expect(mem0SearchSchema.safeParse({ query: 'boat' }).success).toBe(true)
  expect(mem0ListSchema.safeParse({}).success).toBe(true)
  expect(mem0AddSchema.safeParse({ messages: [{ role: 'assistant' }] }).success).toBe(true)
})
